/** Steps of offered load up to beyond what can be answered, for each operation: the curve that capacity plans rest on. */
import { availableParallelism } from 'node:os';
import { figure, percent } from '../lib/report.mjs';
import { p95TargetsMs } from '../lib/targets.mjs';
import { coreHoursPerMillion, isCarried, kneeOf, stepFigures } from './figures.mjs';
import { ms, withoutLate, wrongBar } from './parts.mjs';
import { rampCharts } from './ramp-charts.mjs';
import { costTable, kneeTable, stepTable } from './ramp-tables.mjs';
import { applyScript, saturation, withWorld } from './world.mjs';

/** @typedef {import('./parts.mjs').Operation} Operation */
/** @typedef {Awaited<ReturnType<typeof rampOf>>['mix']} Mix */

/** Of the most that clients get who ask again at once: closer where the curve bends, and two steps beyond it. */
const PARTS = [0.25, 0.5, 0.65, 0.8, 0.9, 1, 1.2, 1.5];

/** Where even the last step was carried, since the clients saw a machine that was busy otherwise: further, so often at most. */
const EXTENSION = [1.3, 1.7];
const MOST_EXTENSIONS = 3;

/** Between steps, in seconds: what a step beyond saturation left in the queue is worked off. */
const GAP_SECONDS = 3;
const SATURATION_SECONDS = 6;

/** @type {Readonly<Record<Operation, number>>} */
const IMAGES = { detect: 1, compare: 2, moderate: 1 };

/** @type {import('../lib/types').Measurement} */
export const ramp = {
  name: 'load/ramp',
  answers:
    'How do times, throughput, queue, memory and processor change with offered load, and where is the knee?',
  parameters: { seconds: 12, leadSeconds: 3, operations: 'detect,compare,moderate', pricePerCoreHour: 0.04 },
  quick: { seconds: 4, leadSeconds: 1, operations: 'detect' },

  async run({ seconds, leadSeconds, operations, pricePerCoreHour }, log) {
    const most = availableParallelism();
    const wanted = operations.split(',').map((/** @type {string} */ name) => {
      if (!(name in p95TargetsMs)) throw new Error(`There is no operation ${name}.`);
      return { operation: /** @type {Operation} */ (name), workers: most };
    });
    // One worker beside all of them, where that is another number: what a plan scales by.
    if (most > 1) wanted.push({ operation: wanted[0].operation, workers: 1 });
    const mixes = [];
    const runs = [];
    for (const one of wanted) {
      const taken = await rampOf({ ...one, seconds, leadSeconds }, log);
      mixes.push(taken.mix);
      runs.push(...taken.runs);
    }
    return { bars: [wrongBar(...runs)], figures: { mixes, pricePerCoreHour, seconds, leadSeconds } };
  },

  report({ mixes, pricePerCoreHour, seconds, leadSeconds }) {
    return [
      kneeTable(mixes),
      costTable(mixes, pricePerCoreHour),
      ...mixes.map((/** @type {Mix} */ mix) => stepTable(mix, seconds - leadSeconds)),
    ];
  },

  charts: ({ mixes }) => mixes.flatMap(rampCharts),
};

/**
 * @param {{ operation: Operation, workers: number, seconds: number, leadSeconds: number }} options
 * @param {(line: string) => void} log
 */
async function rampOf({ operation, workers, seconds, leadSeconds }, log) {
  return withWorld({ workers }, async (world) => {
    const targetMs = p95TargetsMs[operation];
    const { perSecond: saturationPerSecond } = await saturation(
      world,
      { [operation]: 1 },
      SATURATION_SECONDS,
    );
    /** @type {import('./figures.mjs').StepFigures[]} */
    const steps = [];
    const runs = [];
    let rates = PARTS.map((part) => part * saturationPerSecond);
    for (let round = 0; round <= MOST_EXTENSIONS && rates.length > 0; round++) {
      const taken = await climb(world, operation, { rates, most: saturationPerSecond, seconds, leadSeconds });
      runs.push(taken.run);
      steps.push(...taken.steps);
      for (const step of taken.steps) {
        log(
          `${operation}, ${workers} workers: ${figure(step.offeredPerSecond)}/s offered, ${figure(step.answeredPerSecond)}/s answered, p95 ${ms(step.p95Ms)} ms, refused ${percent(step.refusedShare)}`,
        );
      }
      const last = steps[steps.length - 1];
      rates = isCarried(last, targetMs) ? EXTENSION.map((factor) => factor * last.offeredPerSecond) : [];
    }
    const mix = { operation, workers, imagesPerAnswer: IMAGES[operation], targetMs, saturationPerSecond };
    return { runs, mix: { ...mix, steps, ...summary(steps, mix) } };
  });
}

/**
 * One run of k6 over steps of load.
 * @param {import('./world.mjs').World} world
 * @param {Operation} operation
 * @param {{ rates: readonly number[], most: number, seconds: number, leadSeconds: number }} options `most` that clients get
 *   who ask again at once
 */
async function climb(world, operation, { rates, most, seconds, leadSeconds }) {
  const plan = rates.map((rate, i) => ({
    name: `step${i + 1}`,
    // Two digits are enough of a rate, and k6 takes no more.
    perSecond: Number(rate.toFixed(2)),
    seconds,
    startSeconds: i * (seconds + GAP_SECONDS),
  }));
  const run = await applyScript(world, 'ramp.ts', { mix: { [operation]: 1 }, steps: plan });
  const beyond = plan.filter(({ perSecond }) => perSecond > most).map(({ name }) => name);
  const [above, below] = [true, false].map((wanted) =>
    run.answers.filter(({ scenario }) => beyond.includes(scenario) === wanted),
  );
  return {
    run: { answers: [...below, ...withoutLate(above)], unanswered: run.unanswered },
    steps: plan.map((step) => stepFigures(run, { ...step, leadSeconds })),
  };
}

/**
 * @param {readonly import('./figures.mjs').StepFigures[]} steps
 * @param {{ imagesPerAnswer: number, targetMs: number }} mix
 */
function summary(steps, { imagesPerAnswer, targetMs }) {
  const knee = kneeOf(steps, targetMs);
  const atMost = steps.reduce((a, b) => (b.answeredPerSecond > a.answeredPerSecond ? b : a));
  const atKnee = steps.find(({ offeredPerSecond }) => offeredPerSecond === knee?.perSecond);
  return {
    knee,
    answeredMostPerSecond: atMost.answeredPerSecond,
    coreHoursPerMillion: {
      atKnee: atKnee ? coreHoursPerMillion(atKnee, imagesPerAnswer) : null,
      atMost: coreHoursPerMillion(atMost, imagesPerAnswer),
    },
  };
}
