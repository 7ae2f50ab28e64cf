// `npm run models -- ARGS` and `npm run evaluate -- ARGS`: builds what is missing and runs a command line of the inference
// tier. The set-up prints to stderr only, because scripts parse stdout.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { watchSignals } from '../../gateway/harness/cli/interruption.mjs';
import { checkNode } from '../../gateway/harness/cli/node-version.mjs';
import { EVALUATION_CLI, MODELS_CLI } from '../../gateway/harness/cli/paths.mjs';
import { readSettings } from '../../gateway/harness/cli/settings.mjs';
import { runMain } from '../../gateway/harness/cli/stop.mjs';
import { Terminal } from '../../gateway/harness/cli/terminal.mjs';
import { setupCode } from '../../gateway/harness/setup/setup.mjs';

/** @type {Readonly<Record<string, string>>} */
const COMMANDS = { models: MODELS_CLI, evaluate: EVALUATION_CLI };

runMain(async () => {
  checkNode();
  const settings = readSettings(process.env);
  // Ctrl-C reaches the command, too, which cleans up before it ends.
  const { abort } = watchSignals();
  await setupCode({ settings, terminal: new Terminal(process.stderr), abort });
  const [command = '', ...args] = process.argv.slice(2);
  const child = spawn(process.execPath, [/** @type {string} */ (COMMANDS[command]), ...args], {
    env: { ...process.env, MODELS_CACHE: settings.modelsCache },
    stdio: 'inherit',
  });
  abort.addEventListener('abort', () => child.kill());
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
});
