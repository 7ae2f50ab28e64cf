/**
 * Compares the simulation with the product: its curve, computed from service times alone, with the one that `load/ramp`
 * measured. Only a simulation that reproduces measurements may predict anything else.
 */
import { atMost } from '../lib/figures.mjs';
import { percent } from '../lib/report.mjs';
import { isSameMachine, isSameProduct, readResult } from '../lib/results.mjs';
import { Skip } from '../lib/skip.mjs';
import { median } from '../lib/stats.mjs';
import { isCarried } from '../load/analysis.mjs';
import { clientMsOf, oneMachine } from './model.mjs';
import { simulate } from './simulation/service.mjs';

/** @typedef {Pick<import('../load/analysis.mjs').StepFigures, 'offeredPerSecond' | 'servedPerSecond' | 'windowSeconds' | 'refusedShare' | 'p95Ms'>} Step */

/** @type {import('../lib/types').Measurement} */
export const knee = {
  name: 'capacity/knee',
  question: 'Does the simulation reproduce the measured curve and its interpolated knee?',
  conditions: { seeds: 7 },
  quick: { seeds: 1 },

  async run({ seeds }, log) {
    const [timesResult, rampResult] = ['capacity/service-times', 'load/ramp'].map(readResult);
    if (!isSameMachine(timesResult.machine, rampResult.machine))
      throw new Skip('Service times and ramp were measured on different machines.');
    if (!isSameProduct(timesResult.commit, rampResult.commit))
      throw new Skip('Service times and ramp were measured on different states of the product.');
    const { mixes: ramps, seconds, leadSeconds } = rampResult.data;
    const mixes = [];
    for (const mix of ramps.filter(({ steps }) => steps.length > 1)) {
      const compared = await compare(mix, { serviceTimes: timesResult.data, seconds, leadSeconds, seeds });
      log(
        `${mix.operation}, ${mix.workers} workers: interpolated knee ${compared.knee.measured} measured, ${compared.knee.simulated} simulated`,
      );
      mixes.push(compared);
    }
    return { mixes };
  },

  summarize: ({ mixes }) => ({
    figures: mixes.flatMap(figuresOf),
    tables: mixes.map(({ operation, workers, clientMs, knee: own, steps }) => ({
      title: `${nameOf({ operation, workers })}: measured | simulated`,
      columns: 'Offered/s | p50, ms | p95, ms | p99, ms | Served/s | Refused | Error of p95',
      rows: steps.map(({ offeredPerSecond, measured, simulated, p95Error }) => [
        offeredPerSecond,
        ...['p50Ms', 'p95Ms', 'p99Ms', 'servedPerSecond'].map(
          (key) => `${whole(measured[key])} \\| ${whole(simulated[key])}`,
        ),
        `${percent(measured.refusedShare)} \\| ${percent(simulated.refusedShare)}`,
        p95Error === null ? '' : percent(p95Error),
      ]),
      remark: `Interpolated knee: ${whole(own.measured)} requests a second measured, ${whole(own.simulated)} simulated. It is between the last carried step, which is the knee of load/ramp, and the next: where p95 crosses ${own.targetMs} ms, or the throughput of that next step, where that is less. Arrivals are evenly spaced and as late as k6 sent them; the load generator's own ${clientMs.toFixed(1)} ms a request share the machine in both. Errors of p95 are given up to 80 % of the measured knee; above it a percent of load changes latency by far more.`,
    })),
    data: {
      mixes: mixes.map(({ steps, clientMs, ...one }) => ({ ...one, ...busiest(steps) })),
    },
  }),
};

/** p95 is compared up to 80 % of the knee; the last of these steps is the busiest. */
function busiest(steps) {
  const { measured, simulated } = steps.findLast(({ p95Error }) => p95Error !== null);
  return { measuredP95Ms: measured.p95Ms, simulatedP95Ms: simulated.p95Ms };
}

const nameOf = ({ operation, workers }) => `${operation}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;

const whole = (value) =>
  value === null || !Number.isFinite(value) ? '–' : value < 10 ? value.toFixed(1) : Math.round(value);

async function compare(
  { operation, workers, targetMs, steps },
  { serviceTimes, seconds, leadSeconds, seeds },
) {
  const measuredKnee = interpolatedKneeOf(steps, targetMs);
  if (measuredKnee === undefined)
    throw new Skip(`The ramp of ${operation} carries not even its lowest rate.`);
  const clientMs = clientMsOf(steps.filter(({ offeredPerSecond }) => offeredPerSecond <= measuredKnee));
  const machine = { cores: serviceTimes.workers, workers, clientMs };
  const run = { ...oneMachine(serviceTimes, operation, machine), seconds, warmUpSeconds: leadSeconds };
  const rows = [];
  for (const measured of steps) {
    const { offeredPerSecond } = measured;
    const pattern = { latenessMs: measured.lateness.split(' ').map(Number) };
    const simulated = await simulateOften({ ...run, pattern, perSecond: offeredPerSecond }, seeds);
    const comparable = measured.p95Ms !== null && offeredPerSecond <= 0.8 * measuredKnee;
    const p95Error = comparable ? simulated.p95Ms / measured.p95Ms - 1 : null;
    rows.push({ offeredPerSecond, measured: comparableFigures(measured), simulated, p95Error });
  }
  const windowSeconds = seconds - leadSeconds;
  const curve = rows.map((row) => ({
    ...row.simulated,
    offeredPerSecond: row.offeredPerSecond,
    windowSeconds,
  }));
  const simulated = interpolatedKneeOf(curve, targetMs) ?? 0;
  const own = { targetMs, measured: measuredKnee, simulated, error: simulated / measuredKnee - 1 };
  return { operation, workers, clientMs, knee: own, steps: rows };
}

/** Takes the median of several runs, because a step is short, and above the knee its latency varies with its length. */
async function simulateOften(run, seeds) {
  const runs = [];
  for (let seed = 1; seed <= seeds; seed++) runs.push(comparableFigures(await simulate({ ...run, seed })));
  return Object.fromEntries(Object.keys(runs[0]).map((key) => [key, median(runs.map((one) => one[key]))]));
}

const COMPARABLE = ['servedPerSecond', 'refusedShare', 'p50Ms', 'p95Ms', 'p99Ms'];
const comparableFigures = (step) => Object.fromEntries(COMPARABLE.map((key) => [key, step[key]]));

/** @returns {import('../lib/types').Figure[]} */
function figuresOf({ operation, workers, knee: { error }, steps }) {
  const errors = steps.flatMap(({ p95Error }) => (p95Error === null ? [] : [Math.abs(p95Error)]));
  const of = nameOf({ operation, workers });
  const off = `Error of p95 up to 80 % of the interpolated knee, median of the steps, ${of}`;
  return [
    atMost(`Error of the simulated interpolated knee, ${of}`, 100 * Math.abs(error), '%', 15),
    ...(errors.length > 0 ? [atMost(off, 100 * median(errors), '%', 25)] : []),
  ];
}

/**
 * The knee of load/ramp can only be the rate of a step. The interpolated knee is between that step and the next: where the
 * 95th percentile crosses its target, by a line through its logarithm, or the throughput of the next step, where that is
 * less. A carried step above one that is not carried does not count.
 * @param {readonly Step[]} steps
 * @param {number} targetMs
 * @returns {number | undefined} requests a second; undefined where not even the lowest rate is carried
 */
export function interpolatedKneeOf(steps, targetMs) {
  const ascending = [...steps].sort((a, b) => a.offeredPerSecond - b.offeredPerSecond);
  const above = ascending.findIndex((step) => !isCarried(step, targetMs));
  if (above === 0) return undefined;
  if (above < 0) return ascending.at(-1)?.offeredPerSecond;
  const [last, next] = [ascending[above - 1], ascending[above]];
  return Math.max(last.offeredPerSecond, Math.min(crossing(last, next, targetMs), next.servedPerSecond));
}

/** @param {Step} last @param {Step} next @param {number} targetMs */
function crossing(last, next, targetMs) {
  const [low, high] = [Math.log(last.p95Ms ?? 1), Math.log(next.p95Ms ?? Number.POSITIVE_INFINITY)];
  if (high <= Math.log(targetMs)) return next.offeredPerSecond;
  const part = (Math.log(targetMs) - low) / (high - low);
  return last.offeredPerSecond + part * (next.offeredPerSecond - last.offeredPerSecond);
}
