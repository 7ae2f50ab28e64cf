/**
 * Checks the arithmetic of the plan against a measurement. A machine with all cores busy should serve its cores divided by
 * the processor time of a request. `load/ramp` measured how much the same machine does serve, and only arithmetic that
 * predicts this may predict anything else.
 */
import { atMost } from '../lib/figures.mjs';
import { percent } from '../lib/report.mjs';
import { isSameMachine, isSameProduct, readResult } from '../lib/results.mjs';
import { Skip } from '../lib/skip.mjs';
import { isCarried } from '../load/analysis.mjs';

/** @typedef {Pick<import('../load/analysis.mjs').StepFigures, 'offeredPerSecond' | 'servedPerSecond' | 'windowSeconds' | 'refusedShare' | 'p95Ms'>} Step */

/** @type {import('../lib/types').Measurement} */
export const knee = {
  name: 'capacity/knee',
  question: 'Does the processor time of a request predict the interpolated knee of a machine?',
  conditions: {},
  quick: {},

  async run(_conditions, log) {
    const [timesResult, rampResult] = ['capacity/service-times', 'load/ramp'].map(readResult);
    if (!isSameMachine(timesResult.machine, rampResult.machine))
      throw new Skip('Service times and ramp were measured on different machines.');
    if (!isSameProduct(timesResult.commit, rampResult.commit))
      throw new Skip('Service times and ramp were measured on different states of the product.');
    const times = timesResult.data;
    const mixes = rampResult.data.mixes
      // With fewer workers than cores, the workers limit the throughput, and the plan does not use such a layout.
      .filter(({ steps, workers }) => steps.length > 1 && workers === times.workers)
      .map((mix) => comparePrediction(mix, times));
    for (const { operation, knee } of mixes)
      log(`${operation}: interpolated knee ${knee.measured} measured, ${knee.predicted} predicted`);
    return { mixes };
  },

  summarize: ({ mixes }) => ({
    figures: mixes.map(({ operation, knee }) =>
      atMost(`Error of the predicted interpolated knee, ${operation}`, 100 * Math.abs(knee.error), '%', 15),
    ),
    tables: [
      {
        title: 'Interpolated knee, requests a second',
        columns:
          'Operation | Measured | Predicted | Error | Processor time of a request, ms | Of the load generator, ms | p95 at up to 80 % of it, ms',
        rows: mixes.map(({ operation, knee, requestMs, clientMs, measuredP95Ms }) => [
          operation,
          knee.measured,
          knee.predicted,
          percent(knee.error),
          requestMs,
          clientMs,
          measuredP95Ms,
        ]),
        remark:
          'The interpolated knee is between the last carried step, which is the knee of load/ramp, and the next: where p95 crosses the target, or the throughput of that next step, where that is less. Predicted: the cores, divided by the processor time of a request with all cores busy and that of the load generator, which shares the machine. p95 is that of the busiest step up to 80 % of the knee.',
      },
    ],
    data: { mixes },
  }),
};

/** @param {any} mix of load/ramp @param {any} times data of capacity/service-times */
function comparePrediction({ operation, workers, targetMs, steps }, times) {
  const measured = interpolatedKneeOf(steps, targetMs);
  if (measured === undefined) throw new Skip(`The ramp of ${operation} carries not even its lowest rate.`);
  const clientMs = clientMsOf(steps.filter(({ offeredPerSecond }) => offeredPerSecond <= measured));
  const requestMs = times.operations[operation].together.totalMs.median;
  const predicted = (1e3 * workers) / (requestMs + clientMs);
  const calm = steps.findLast(({ offeredPerSecond }) => offeredPerSecond <= 0.8 * measured);
  return {
    operation,
    knee: { targetMs, measured, predicted, error: predicted / measured - 1 },
    requestMs,
    clientMs,
    measuredP95Ms: calm?.p95Ms ?? null,
  };
}

/**
 * The load generator's CPU time per request, from the samples of the ramp at the highest of the given rates. At low rates
 * its idle work would count for the few requests.
 * @param {readonly any[]} steps
 * @returns {number} milliseconds
 */
export function clientMsOf(steps) {
  const highest = steps.reduce((a, b) => (b.offeredPerSecond > a.offeredPerSecond ? b : a));
  return (1e3 * (highest.cpuCores.k6 ?? 0)) / highest.servedPerSecond;
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
