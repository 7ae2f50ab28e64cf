// `npm run models -- ARGS`: builds what is missing and runs the command line of the model catalogue. The set-up prints to
// stderr only, because scripts parse stdout.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { watchSignals } from './cli/interruption.mjs';
import { checkNode } from './cli/node-version.mjs';
import { MODELS_CLI } from './cli/paths.mjs';
import { readSettings } from './cli/settings.mjs';
import { runMain } from './cli/stop.mjs';
import { Terminal } from './cli/terminal.mjs';
import { setupCode } from './setup/setup.mjs';

runMain(async () => {
  checkNode();
  const settings = readSettings(process.env);
  // Ctrl-C reaches the command, too, which cleans up before it ends.
  const { abort } = watchSignals();
  await setupCode({ settings, terminal: new Terminal(process.stderr), abort });
  const child = spawn(process.execPath, [MODELS_CLI, ...process.argv.slice(2)], {
    env: { ...process.env, MODELS_CACHE: settings.modelsCache },
    stdio: 'inherit',
  });
  abort.addEventListener('abort', () => child.kill());
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
});
