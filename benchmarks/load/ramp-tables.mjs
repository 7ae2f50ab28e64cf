/** Tables of a ramp: the knee, what a million images cost, and every step. */
import { figure, percent } from '../lib/report.mjs';
import { CARRIED, isCarried } from './figures.mjs';
import { list, ms } from './parts.mjs';

/** @typedef {import('./ramp.mjs').Mix} Mix */

/** @param {Mix[]} mixes @returns {import('../lib/types').Table} */
export const kneeTable = (mixes) => ({
  title: 'Knee and saturation',
  columns: [
    'Operation',
    'Workers',
    'Knee, requests/s',
    'p95 there, ms',
    'Most answered, requests/s',
    'By clients that ask again at once',
  ],
  rows: mixes.map(({ operation, workers, knee, answeredMostPerSecond, saturationPerSecond }) => [
    operation,
    workers,
    knee ? figure(knee.perSecond) : 'below the first step',
    ms(knee?.p95Ms ?? null),
    figure(Number(answeredMostPerSecond.toFixed(1))),
    figure(Number(saturationPerSecond.toFixed(1))),
  ]),
  remark: `The knee is the highest offered rate at which the 95th percentile is within the specification's target, fewer than ${percent(CARRIED.refusedShare)} are refused and at least ${percent(CARRIED.answeredShare)} of what is offered is answered rightly as it comes, and at which all lower steps are as good. k6, gateway and Redis share the machine with the workers.`,
});

/** @param {Mix[]} mixes @param {number} price @returns {import('../lib/types').Table} */
export const costTable = (mixes, price) => ({
  title: 'Cost of a million images',
  columns: [
    'Operation',
    'Workers',
    'Core-hours, at the knee',
    'Core-hours, at most answered',
    `At ${price} a core-hour, at the knee`,
  ],
  rows: mixes.map(({ operation, workers, coreHoursPerMillion: { atKnee, atMost } }) => [
    operation,
    workers,
    ms(atKnee),
    ms(atMost),
    atKnee === null ? '–' : figure(Number((atKnee * price).toFixed(2))),
  ]),
  remark:
    "Processor time of gateway, inference and Redis, as the kernel counts it, for each image that was answered rightly; a comparison is two images. Core-hours are what was measured. The price is an assumption and nobody's offer: set your own, in your currency, with `--pricePerCoreHour`. A machine that is kept half idle costs twice as much.",
});

/** @param {Mix} mix @param {number} seconds @returns {import('../lib/types').Table} */
export const stepTable = ({ operation, workers, targetMs, steps }, seconds) => ({
  title: `${operation}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
  columns: [
    'Offered/s',
    'Answered/s',
    'Refused',
    'Not sent or failed',
    'p50, ms',
    'p95, ms',
    'p99, ms',
    'Queue',
    'CPU, cores',
    'RSS, MB',
    'Carried',
  ],
  rows: steps.map((step) => [
    figure(step.offeredPerSecond),
    figure(Number(step.answeredPerSecond.toFixed(2))),
    percent(step.refusedShare),
    percent(step.failedShare),
    ms(step.p50Ms),
    ms(step.p95Ms),
    ms(step.p99Ms),
    figure(Number(step.queueLength.toFixed(1))),
    list(step.cpuCores),
    list(Object.fromEntries(Object.entries(step.rssMb).map(([name, value]) => [name, Math.round(value)]))),
    isCarried(step, targetMs) ? 'yes' : 'no',
  ]),
  remark: `Requests begin when they are due, evenly spaced, whatever became of those before (open model): what waits is counted in the times. What k6 had no user free for was not sent. ${seconds} s of each step, after its lead-in. Times are those of right answers.`,
});
