/**
 * Whether the simulation is about this product: its curve, computed from service times alone, beside the one that the
 * load suite measured (`load/ramp`). Only what reproduces what was seen may say anything about what was not.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULTS } from '../lib/paths.mjs';
import { percent } from '../lib/report.mjs';
import { isSameMachine, isSameProduct } from '../lib/results.mjs';
import { Skip } from '../lib/skip.mjs';
import { median } from '../lib/stats.mjs';
import { interpolatedKneeOf } from './curve.mjs';
import { clientMsOf, oneMachine } from './model.mjs';
import { operations } from './requests.mjs';
import { simulate } from './simulation/service.mjs';

/** @typedef {import('./requests.mjs').OperationName} OperationName */

/** @type {import('../lib/types').Measurement} */
export const knee = {
  name: 'capacity/knee',
  answers: 'Does the simulation reproduce the measured curve and its interpolated knee?',
  parameters: { ramp: 'load/ramp', times: 'capacity/service-times', seeds: 7 },

  async run({ ramp, times, seeds }, log) {
    const [timesResult, rampResult] = [readResult(times), readResult(ramp)];
    if (!isSameMachine(timesResult.machine, rampResult.machine))
      throw new Skip(`${times} and ${ramp} were measured on different machines.`);
    if (!isSameProduct(timesResult.commit, rampResult.commit))
      throw new Skip(`${times} and ${ramp} were measured on different states of the product.`);
    const serviceTimes = timesResult.figures;
    const { mixes: ramps, seconds, leadSeconds } = rampResult.figures;
    if (!('lateness' in ramps[0].steps[0])) throw new Skip(`${ramp} is too old to tell when requests came.`);
    const measured = ramps.filter(
      (/** @type {any} */ { operation, steps }) => operation in operations && steps.length > 1,
    );
    if (measured.length === 0) throw new Skip(`${ramp} has no ramp of detect, compare or moderate.`);
    const mixes = [];
    for (const mix of measured) {
      const compared = await compare(mix, { serviceTimes, seconds, leadSeconds, seeds });
      log(
        `${mix.operation}, ${mix.workers} workers: interpolated knee ${compared.knee.measured} measured, ${compared.knee.simulated} simulated`,
      );
      mixes.push(compared);
    }
    return { bars: mixes.flatMap(barsOf), figures: { mixes } };
  },

  report({ mixes }) {
    return mixes.map((/** @type {any} */ { operation, workers, clientMs, knee, steps }) => ({
      title: `${operation}, ${workers} ${workers === 1 ? 'worker' : 'workers'}: measured | simulated`,
      columns: ['Offered/s', 'p50, ms', 'p95, ms', 'p99, ms', 'Answered/s', 'Refused', 'Error of p95'],
      rows: steps.map((/** @type {any} */ { offeredPerSecond, measured, simulated, p95Error }) => [
        offeredPerSecond,
        ...['p50Ms', 'p95Ms', 'p99Ms', 'answeredPerSecond'].map(
          (key) => `${whole(measured[key])} \\| ${whole(simulated[key])}`,
        ),
        `${percent(measured.refusedShare)} \\| ${percent(simulated.refusedShare)}`,
        p95Error === null ? '' : percent(p95Error),
      ]),
      remark: `Interpolated knee: ${whole(knee.measured)} requests a second measured, ${whole(knee.simulated)} simulated. It lies between the last step that is carried, which is the knee of load/ramp, and the next: where p95 crosses ${knee.targetMs} ms, or what that next step answers, where that is less. Arrivals evenly spaced, and as late as k6 sent them; the load generator's own ${clientMs.toFixed(1)} ms a request share the machine in both. Errors of p95 are given up to 80 % of the measured one; above it a percent of load changes times by far more.`,
    }));
  },
};

/** @param {number | null} value */
const whole = (value) =>
  value === null || !Number.isFinite(value) ? '–' : value < 10 ? value.toFixed(1) : Math.round(value);

/**
 * @param {string} name
 * @returns {import('../lib/types').Result}
 * @throws Skip where it was not measured yet
 */
function readResult(name) {
  const path = join(RESULTS, `${name}.json`);
  if (!existsSync(path))
    throw new Skip(`There is no ${name} yet, which this computes with: measure it first.`);
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Figures of a result. @param {string} name @throws Skip where it was not measured yet */
export const readFigures = (name) => readResult(name).figures;

/**
 * @param {{ operation: OperationName, workers: number, targetMs: number, steps: any[] }} mix
 * @param {{ serviceTimes: any, seconds: number, leadSeconds: number, seeds: number }} options
 */
async function compare(
  { operation, workers, targetMs, steps },
  { serviceTimes, seconds, leadSeconds, seeds },
) {
  const measuredKnee = interpolatedKneeOf(steps, targetMs);
  if (measuredKnee === undefined)
    throw new Skip(`The ramp of ${operation} carries not even its lowest rate.`);
  const clientMs = clientMsOf(steps.filter(({ offeredPerSecond }) => offeredPerSecond <= measuredKnee));
  const machine = { cores: serviceTimes.workers, workers, clientMs };
  const run = {
    ...oneMachine(serviceTimes, operation, machine),
    seconds,
    warmUpSeconds: leadSeconds,
  };
  const rows = [];
  for (const measured of steps) {
    const { offeredPerSecond } = measured;
    const pattern = { latenessMs: measured.lateness.split(' ').map(Number) };
    const simulated = await simulateOften({ ...run, pattern, perSecond: offeredPerSecond }, seeds);
    const comparable = measured.p95Ms !== null && offeredPerSecond <= 0.8 * measuredKnee;
    const p95Error = comparable ? simulated.p95Ms / measured.p95Ms - 1 : null;
    rows.push({ offeredPerSecond, measured: shown(measured), simulated, p95Error });
  }
  const windowSeconds = seconds - leadSeconds;
  const curve = rows.map(({ offeredPerSecond, simulated }) => ({
    offeredPerSecond,
    windowSeconds,
    ...simulated,
  }));
  const simulatedKnee = interpolatedKneeOf(curve, targetMs);
  return {
    operation,
    workers,
    clientMs,
    knee: {
      targetMs,
      measured: measuredKnee,
      simulated: simulatedKnee ?? 0,
      error: (simulatedKnee ?? 0) / measuredKnee - 1,
    },
    steps: rows,
  };
}

/**
 * A step is as short as the measured one, beyond the knee above all, where times grow as long as it lasts: so several.
 * @param {Omit<import('./simulation/service.mjs').Run, 'seed'>} run
 * @param {number} seeds
 */
async function simulateOften(run, seeds) {
  /** @type {ReturnType<typeof shown>[]} */
  const runs = [];
  for (let seed = 1; seed <= seeds; seed++) runs.push(shown(await simulate({ ...run, seed })));
  const keys = /** @type {(keyof (typeof runs)[number])[]} */ (Object.keys(runs[0]));
  const medians = keys.map((key) => [key, median(runs.map((one) => one[key]))]);
  return /** @type {(typeof runs)[number]} */ (Object.fromEntries(medians));
}

/**
 * What both sides of the comparison tell of a step.
 * @param {any} step
 * @returns {Record<'answeredPerSecond' | 'refusedShare' | 'p50Ms' | 'p95Ms' | 'p99Ms' | 'queueLength', number>}
 */
const shown = ({ answeredPerSecond, refusedShare, p50Ms, p95Ms, p99Ms, queueLength }) => ({
  answeredPerSecond,
  refusedShare,
  p50Ms,
  p95Ms,
  p99Ms,
  queueLength,
});

/** @param {Awaited<ReturnType<typeof compare>>} mix @returns {import('../lib/types').Bar[]} */
function barsOf({ operation, workers, knee, steps }) {
  const errors = steps.flatMap(({ p95Error }) => (p95Error === null ? [] : [Math.abs(p95Error)]));
  const of = `${operation}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;
  return [
    { what: `Error of the simulated interpolated knee, ${of}`, value: 100 * Math.abs(knee.error), bar: 15 },
    ...(errors.length > 0
      ? [
          {
            what: `Error of p95 up to 80 % of the interpolated knee, median of the steps, ${of}`,
            value: 100 * median(errors),
            bar: 25,
          },
        ]
      : []),
  ].map((bar) => ({ ...bar, unit: '%', better: /** @type {const} */ ('lower') }));
}
