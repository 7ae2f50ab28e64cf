/**
 * `npm run bench [-- NAME ... --condition=value]`: installs and builds anything that is missing, then runs the
 * named measurements, or all of them, one after the other. Each starts the service or parts of it, writes its summary to
 * `results/<name>.json` and its raw figures to `.data/benchmarks/<name>.json`. RESULTS.md is generated at the end.
 */
import { watchSignals } from '../gateway/harness/cli/interruption.mjs';
import { checkNode } from '../gateway/harness/cli/node-version.mjs';
import { readSettings } from '../gateway/harness/cli/settings.mjs';
import { runMain } from '../gateway/harness/cli/stop.mjs';
import { setup } from '../gateway/harness/setup/setup.mjs';
import { asksForHelp, parseArguments } from './lib/arguments.mjs';

const HELP = `npm run bench [-- NAME ...] [--quick] [--condition=value ...]

A NAME is a measurement (accuracy/lfw) or a group (accuracy). Without one, all run but those marked *.
--quick takes the shortest form, which shows that a measurement works and saves nothing.
BENCH_DATA names the folder of images that the package lacks (benchmarks/README.md), BENCH_NOTE is kept with the results.
Exit status: 0 all measured, 1 one failed, 2 wrong arguments, 3 none failed but one was skipped. A missed target is a
result, not a failure.
`;

/** @param {readonly import('./lib/types').Measurement[]} measurements */
const listOf = (measurements) =>
  measurements
    .map(({ name, question, conditions, onDemand }) => {
      const settings = Object.entries(conditions).map(([key, value]) => `--${key}=${value}`);
      return `\n${name}${onDemand ? ' *' : ''}\n    ${question}\n    ${settings.join(' ')}`;
    })
    .join('');

/** The list of measurements, whose modules need packages and builds. */
async function describeMeasurements() {
  try {
    return listOf((await import('./measurements.mjs')).measurements);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return '\nRun `npm run build` to see the list of measurements here.';
  }
}

runMain(async () => {
  checkNode();
  const args = process.argv.slice(2);
  if (asksForHelp(args)) {
    console.log(HELP + (await describeMeasurements()));
    return 0;
  }
  const { abort } = watchSignals();
  // Measurements ignore REDIS_URL and start their own Redis.
  await setup({ settings: { ...readSettings(process.env), redisUrl: undefined }, abort, site: false });
  abort.addEventListener('abort', () => process.exit(130)); // listeners of `exit` end what measurements started
  // These modules need the packages and builds that setup provides.
  const [{ measurements }, { take }, { writeReport }] = await Promise.all([
    import('./measurements.mjs'),
    import('./lib/take.mjs'),
    import('./lib/write-report.mjs'),
  ]);
  const choice = parseArguments(args, measurements);
  if ('fault' in choice) {
    console.error(choice.fault);
    return 2;
  }
  const taken = [];
  for (const measurement of choice.chosen) taken.push(await take(measurement, choice));
  console.log('');
  for (const { name, status, sentence } of taken) console.log(`${status.padEnd(9)} ${name}: ${sentence}`);
  if (!choice.quick) console.log(`\n${writeReport()}`);
  const statuses = new Set(taken.map(({ status }) => status));
  return statuses.has('failed') ? 1 : statuses.has('skipped') ? 3 : 0;
});
