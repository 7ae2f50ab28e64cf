/**
 * `npm run load [-- NAME ...] [--quick] [--full] [--parameter=value]`: one command from a bare clone to a report of how
 * the service behaves under load. It brings what is missing (packages, redis-server, builds, k6), starts its own Redis,
 * inference tier and gateway on 127.0.0.1, runs the k6 scenarios against them, and writes benchmarks/results/load/*.json,
 * charts and RESULTS.md. One scenario that fails costs the others nothing. Ctrl-C ends everything that it started.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { watchSignals } from '../deploy/local/cli/interruption.mjs';
import { checkNode } from '../deploy/local/cli/node-version.mjs';
import { readSettings } from '../deploy/local/cli/settings.mjs';
import { runMain } from '../deploy/local/cli/stop.mjs';
import { setup } from '../deploy/local/setup/setup.mjs';

const RUNNER = fileURLToPath(new URL('bench.mjs', import.meta.url));

/** Beside the load itself: the raw limit, the peers, and verdicts on people who are filmed in a browser. */
const FULL = ['speed/http-path', 'peers/throughput', 'liveness/visits'];

const HELP = `npm run load [-- NAME ...] [--quick] [--full] [--parameter=value]

  NAME      smoke, steady, ramp, scaling, spike, batch, plans, large-images or soak; without one, all of them:
            about 25 minutes on two cores
  --quick   the short form, about 4 minutes, to see that everything works; its results have files of their own
  --full    also the raw limit, the peers and liveness verdicts (speed/http-path, peers/throughput, liveness/visits):
            about 12 minutes more
  --KEY=VALUE   a parameter, such as soak --minutes=30, steady --perSecond=20, ramp --pricePerCoreHour=0.03

Take figures on a machine that does nothing else. Exit status: 0 all measured, 1 one failed, 2 wrong arguments, 3 one was
skipped. A target that is missed is a result, not a failure.
`;

runMain(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  checkNode();
  const { abort } = watchSignals();
  // Scenarios start a Redis of their own, whatever REDIS_URL says.
  await setup({ settings: { ...readSettings(process.env), redisUrl: undefined }, abort, site: false });
  const child = spawn(process.execPath, [RUNNER, ...chosen(args)], { stdio: 'inherit' });
  abort.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
});

/** @param {readonly string[]} args */
function chosen(args) {
  const rest = args.filter((arg) => arg !== '--full');
  const names = rest
    .filter((arg) => !arg.startsWith('-'))
    .map((name) => (name.includes('/') ? name : `load/${name}`));
  const options = rest.filter((arg) => arg.startsWith('-'));
  return [...(names.length > 0 ? names : ['load']), ...(args.includes('--full') ? FULL : []), ...options];
}
