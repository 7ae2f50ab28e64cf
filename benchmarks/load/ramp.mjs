/** Raises the offered load of each operation in steps, up to overload: the curve behind capacity plans. */
import { availableParallelism } from 'node:os';
import { figure, list, percent } from '../lib/report.mjs';
import { p95TargetsMs } from '../lib/targets.mjs';
import { CARRIED, coreHoursPerMillion, isCarried, kneeOf, stepFigures } from './analysis.mjs';
import { countFailures, failureFigure, ms, withoutLate } from './tables.mjs';
import { applyMix, saturation, withWorld } from './world.mjs';

/** Steps as shares of the throughput of a closed model: closer where the curve bends, two of them above it. */
const PARTS = [0.25, 0.5, 0.65, 0.8, 0.9, 1, 1.2, 1.5];
/** Further steps, in case the service carries even the last one because the closed model met a busy machine. */
const EXTENSION = [1.3, 1.7];
const MOST_EXTENSIONS = 3;
/** Pause between steps, in which the service works off the queue of an overload. */
const GAP_SECONDS = 3;
const SATURATION_SECONDS = 6;
const IMAGES = { detect: 1, compare: 2, moderate: 1 };

/** @type {import('../lib/types').Measurement} */
export const ramp = {
  name: 'load/ramp',
  question:
    'How do latency, throughput, queue, memory and CPU change with offered load, and where is the knee?',
  conditions: { seconds: 12, leadSeconds: 3, operations: 'detect,compare,moderate', pricePerCoreHour: 0.04 },
  quick: { seconds: 3, leadSeconds: 1, operations: 'detect' },

  async run({ seconds, leadSeconds, operations }, log) {
    const most = availableParallelism();
    const wanted = operations.split(',').map((operation) => {
      if (!(operation in p95TargetsMs)) throw new Error(`There is no operation ${operation}.`);
      return { operation, workers: most };
    });
    // A ramp with one worker shows how throughput scales with workers.
    if (most > 1) wanted.push({ operation: wanted[0].operation, workers: 1 });
    const mixes = [];
    let failures = 0;
    for (const target of wanted) {
      const { mix, failures: rampFailures } = await rampOf({ ...target, seconds, leadSeconds }, log);
      mixes.push(mix);
      failures += rampFailures;
    }
    return { mixes, failures, seconds, leadSeconds };
  },

  summarize: ({ mixes, failures, seconds, leadSeconds }, { pricePerCoreHour }) => ({
    figures: [failureFigure(failures)],
    tables: [
      kneeTable(mixes),
      costTable(mixes, pricePerCoreHour),
      ...mixes.map((mix) => stepTable(mix, seconds - leadSeconds)),
    ],
    charts: mixes.flatMap(chartsOf),
    data: {
      seconds,
      leadSeconds,
      mixes: mixes.map(({ operation, workers, targetMs, steps }) => ({
        operation,
        workers,
        targetMs,
        steps,
      })),
    },
  }),
};

async function rampOf({ operation, workers, seconds, leadSeconds }, log) {
  return withWorld({ workers }, async (world) => {
    const targetMs = p95TargetsMs[operation];
    const { perSecond: saturated } = await saturation(world, { [operation]: 1 }, SATURATION_SECONDS);
    const steps = [];
    let failures = 0;
    let rates = PARTS.map((part) => part * saturated);
    for (let round = 0; round <= MOST_EXTENSIONS && rates.length > 0; round++) {
      const taken = await climb(world, operation, { rates, saturated, seconds, leadSeconds });
      failures += taken.failures;
      steps.push(...taken.steps);
      for (const step of taken.steps)
        log(
          `${operation}, ${workers} workers: ${figure(step.offeredPerSecond)}/s offered, ${figure(step.servedPerSecond)}/s carried, p95 ${ms(step.p95Ms)} ms, refused ${percent(step.refusedShare)}`,
        );
      const last = steps[steps.length - 1];
      rates = isCarried(last, targetMs) ? EXTENSION.map((factor) => factor * last.offeredPerSecond) : [];
    }
    const mix = { operation, workers, targetMs, saturationPerSecond: saturated };
    return { failures, mix: { ...mix, steps, ...evaluate(steps, mix) } };
  });
}

/** One run of k6 over steps of load. */
async function climb(world, operation, { rates, saturated, seconds, leadSeconds }) {
  const steps = rates.map((rate, i) => ({
    name: `step${i + 1}`,
    mix: { [operation]: 1 },
    perSecond: Number(rate.toFixed(2)),
    seconds,
    startSeconds: i * (seconds + GAP_SECONDS),
  }));
  const run = await applyMix(world, steps);
  const overloaded = steps.filter(({ perSecond }) => perSecond > saturated).map(({ name }) => name);
  const [above, below] = [true, false].map((wanted) =>
    run.responses.filter(({ scenario }) => overloaded.includes(scenario) === wanted),
  );
  return {
    failures: countFailures({ responses: [...below, ...withoutLate(above)], cutOff: run.cutOff }),
    steps: steps.map((step) => stepFigures(run, { ...step, leadSeconds })),
  };
}

function evaluate(steps, { operation, targetMs }) {
  const knee = kneeOf(steps, targetMs);
  const atMost = steps.reduce((a, b) => (b.servedPerSecond > a.servedPerSecond ? b : a));
  const atKnee = steps.find(({ offeredPerSecond }) => offeredPerSecond === knee?.perSecond);
  return {
    knee,
    servedMostPerSecond: atMost.servedPerSecond,
    coreHoursPerMillion: {
      atKnee: atKnee ? coreHoursPerMillion(atKnee, IMAGES[operation]) : null,
      atMost: coreHoursPerMillion(atMost, IMAGES[operation]),
    },
  };
}

const workersOf = (workers) => `${workers} ${workers === 1 ? 'worker' : 'workers'}`;

const kneeTable = (mixes) => ({
  title: 'Knee and saturation',
  columns:
    'Operation | Workers | Knee, requests/s | p95 there, ms | Highest throughput, requests/s | In a closed model',
  rows: mixes.map(({ operation, workers, knee, servedMostPerSecond, saturationPerSecond }) => [
    operation,
    workers,
    knee ? figure(knee.perSecond) : 'below the first step',
    ms(knee?.p95Ms ?? null),
    figure(Number(servedMostPerSecond.toFixed(1))),
    figure(Number(saturationPerSecond.toFixed(1))),
  ]),
  remark: `The knee is the highest offered rate with p95 within the specification's target, a share of refused requests below ${percent(CARRIED.refusedShare)}, a share of at least ${percent(CARRIED.servedShare)} served rightly as they come, and all lower steps as good. k6, gateway and Redis share the machine with the workers.`,
});

const costTable = (mixes, price) => ({
  title: 'Cost of a million images',
  columns: `Operation | Workers | Core-hours, at the knee | Core-hours, at the highest throughput | At ${price} a core-hour, at the knee`,
  rows: mixes.map(({ operation, workers, coreHoursPerMillion: { atKnee, atMost } }) => [
    operation,
    workers,
    ms(atKnee),
    ms(atMost),
    atKnee === null ? '–' : figure(Number((atKnee * price).toFixed(2))),
  ]),
  remark:
    "Processor time of gateway, inference and Redis for each image with a right response, counted by the kernel; a comparison is two images. Core-hours were measured. The price is an assumption and nobody's offer: set your own, in your currency, with `--pricePerCoreHour`. A machine that is kept half idle costs twice as much.",
});

const stepTable = ({ operation, workers, targetMs, steps }, seconds) => ({
  title: `${operation}, ${workersOf(workers)}`,
  columns:
    'Offered/s | Served/s | Refused | Not sent or failed | p50, ms | p95, ms | p99, ms | Queue | CPU, cores | RSS, MB | Carried',
  rows: steps.map((step) => [
    figure(step.offeredPerSecond),
    figure(Number(step.servedPerSecond.toFixed(2))),
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
  remark: `Requests start when they are due, evenly spaced, whatever became of earlier ones (open model), so waiting counts in the times. k6 did not send requests without a free user. ${seconds} s of each step, after its lead-in. Times are those of right responses.`,
});

/** @returns {import('../lib/types').Chart[]} */
function chartsOf({ operation, workers, targetMs, steps, knee }) {
  const layout = `${operation}, ${workersOf(workers)}`;
  const kneeLine = knee ? [{ axis: /** @type {const} */ ('x'), value: knee.perSecond, label: 'knee' }] : [];
  const curve = (name, read) => ({
    name,
    points: steps.map((step) => {
      const value = read(step) ?? null;
      return /** @type {const} */ ([step.offeredPerSecond, value && Number(value.toPrecision(5))]);
    }),
  });
  /** @param {string} name for its file @param {string} label of the vertical axis */
  const chart = (name, title, description, label) => ({
    file: `${operation}-${workers}-${name}`,
    title: `${title} against offered load: ${layout}`,
    description,
    x: { label: 'Offered, requests per second' },
    y: { label },
    lines: kneeLine,
  });
  const within = knee
    ? ` It is within the target up to ${Math.round(knee.perSecond)} requests per second.`
    : '';
  return [
    {
      ...chart(
        'latency',
        'Latency',
        `50th, 95th and 99th percentile of right responses.${within}`,
        'Milliseconds',
      ),
      y: { label: 'Milliseconds', log: true },
      series: ['p50', 'p95', 'p99'].map((name) => curve(name, (step) => step[`${name}Ms`])),
      lines: [...kneeLine, { axis: 'y', value: targetMs, label: 'target of p95' }],
    },
    {
      ...chart(
        'throughput',
        'Served and refused',
        'Right responses and refusals per second. Refusals begin at the highest throughput.',
        'Per second',
      ),
      series: [
        curve('served', (step) => step.servedPerSecond),
        curve('refused', (step) => step.refusedShare * step.offeredPerSecond),
        curve('offered', (step) => step.offeredPerSecond),
      ],
    },
    {
      ...chart('cpu', 'CPU', 'Cores used on average by each process. k6 represents the clients.', 'Cores'),
      series: ['inference', 'gateway', 'redis', 'k6'].map((name) =>
        curve(name, (step) => step.cpuCores[name]),
      ),
    },
  ];
}
