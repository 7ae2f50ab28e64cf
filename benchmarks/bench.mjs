/**
 * `npm run bench -w benchmarks [-- name ... --parameter=value]`: runs the named measurements, or all of them, one after
 * the other against the built inference tier; writes `results/<name>.json` and `results/RESULTS.md`.
 * Exit status: 0 all measured, 1 one failed, 2 wrong arguments, 3 none failed but one was skipped.
 */
import { parseArguments } from './lib/arguments.mjs';
import { figure, quantity, reached } from './lib/report.mjs';
import { buildIsStale, describeCommit, describeMachine, saveResult, writeReport } from './lib/results.mjs';
import { Skip } from './lib/skip.mjs';
import { measurements } from './measurements.mjs';

/** @typedef {import('./lib/types').Measurement} Measurement */
/** @typedef {'measured' | 'skipped' | 'failed'} Status */

const HELP = `npm run bench -w benchmarks [-- name ... --parameter=value]

A name is a measurement (accuracy/lfw), its last part (lfw) or a group (accuracy). Without one, all run but those
marked *. --quick takes the short form of those that have one; its results have files of their own. BENCH_DATA names the folder of test material, BENCH_NOTE is kept with the results.

${measurements
  .map(
    ({ name, answers, parameters, onDemand }) =>
      `${name}${onDemand ? ' *' : ''}\n    ${answers}\n    ${Object.entries(parameters)
        .map(([key, value]) => `--${key}=${value}`)
        .join(' ')}`,
  )
  .join('\n')}
`;

/**
 * @param {Measurement} measurement
 * @param {{ overrides: Record<string, string>, quick: boolean }} options
 * @returns {Promise<{ name: string, status: Status, sentence: string }>}
 */
async function take(measurement, { overrides, quick }) {
  const { name, answers } = measurement;
  console.log(`\n${name}: ${answers}`);
  const machine = describeMachine();
  const parameters = apply({ ...measurement.parameters, ...(quick ? measurement.quick : {}) }, overrides);
  const begin = performance.now();
  try {
    const outcome = await measurement.run(parameters, (line) => console.log(`  ${line}`));
    const seconds = (performance.now() - begin) / 1e3;
    const note = process.env.BENCH_NOTE;
    const variant = [outcome.variant, quick && 'quick'].filter(Boolean).join('-');
    const bars = measurement.bars?.(outcome.figures, parameters) ?? outcome.bars ?? [];
    saveResult({
      name,
      ...(variant ? { variant } : {}),
      answers,
      date: new Date().toISOString(),
      commit: describeCommit(),
      ...(buildIsStale() ? { staleBuild: /** @type {const} */ (true) } : {}),
      machine,
      ...(note ? { note } : {}),
      seconds,
      parameters,
      bars,
      figures: outcome.figures,
    });
    for (const bar of bars) {
      console.log(`  ${reached(bar) ? 'reached' : 'MISSED '} ${bar.what}: ${quantity(bar.value, bar.unit)}`);
    }
    return { name, status: 'measured', sentence: `${figure(Math.round(seconds))} s` };
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    if (!(error instanceof Skip)) console.error(error);
    return { name, status: error instanceof Skip ? 'skipped' : 'failed', sentence };
  }
}

/**
 * @param {import('./lib/types').Parameters} defaults
 * @param {Record<string, string>} overrides
 */
function apply(defaults, overrides) {
  return Object.fromEntries(
    Object.entries(defaults).map(([key, value]) => {
      const given = overrides[key];
      if (given === undefined) return [key, value];
      if (typeof value === 'boolean') return [key, given !== 'false'];
      return [key, typeof value === 'number' ? Number(given) : given];
    }),
  );
}

async function main() {
  const choice = parseArguments(process.argv.slice(2), measurements);
  if ('fault' in choice) {
    console.error(choice.fault);
    return 2;
  }
  if (choice.help) {
    console.log(HELP);
    return 0;
  }
  const summary = [];
  for (const measurement of choice.chosen) summary.push(await take(measurement, choice));
  console.log('');
  for (const { name, status, sentence } of summary) console.log(`${status.padEnd(9)} ${name}: ${sentence}`);
  console.log(`\n${writeReport(measurements)}`);
  const statuses = new Set(summary.map(({ status }) => status));
  return statuses.has('failed') ? 1 : statuses.has('skipped') ? 3 : 0;
}

// Ctrl-C ends through `exit`, whose listeners end the processes that measurements started.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => process.exit(130));
process.exitCode = await main();
