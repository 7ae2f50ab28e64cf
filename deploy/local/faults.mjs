// `npm run faults [-- NAME ... --parameter=value]`: set-up, then the rehearsals of failure, all of them or those named
// (redis, gateways, inference, workers, webhooks, full-disk, clock, rolling, soak). They start what they break, on ports
// of their own, and touch nothing that runs here. Results: benchmarks/results/faults and RESULTS.md beside it.
// `-- --help` lists names and parameters. Exit status: that of the benchmarks.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { watchSignals } from './cli/interruption.mjs';
import { checkNode } from './cli/node-version.mjs';
import { ROOT } from './cli/paths.mjs';
import { progress } from './cli/progress.mjs';
import { readSettings } from './cli/settings.mjs';
import { runMain } from './cli/stop.mjs';
import { setup } from './setup/setup.mjs';
import { REDIS, requireProgram } from './setup/system-packages.mjs';

runMain(async () => {
  checkNode();
  const args = process.argv.slice(2);
  const { abort } = watchSignals();
  await setup({ settings: readSettings(process.env), abort });
  // Whatever REDIS_URL names is not for breaking.
  await requireProgram(REDIS, { step: progress('setup'), abort });
  const names = args.filter((arg) => !arg.startsWith('-'));
  const options = args.filter((arg) => arg.startsWith('-'));
  const chosen =
    names.length > 0 ? names.map((name) => (name.includes('/') ? name : `faults/${name}`)) : ['faults'];
  const child = spawn(process.execPath, [join(ROOT, 'benchmarks', 'bench.mjs'), ...chosen, ...options], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  abort.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
});
