/** The same load for a long time: does anything grow? */
import { figure } from '../lib/report.mjs';
import { memorySlope, resourceFigures } from './figures.mjs';
import {
  byOperation,
  latencyTable,
  p95Bars,
  resourceTable,
  thinned,
  thresholdTable,
  unservedBar,
  wrongBar,
} from './parts.mjs';
import { applyScript, EVERYTHING, saturation, withWorld } from './world.mjs';

/** Memory fills up to its working set first: this part of the samples is no trend. */
const WARM_UP = 0.3;
/** What is too short to tell growth from warming up. */
const LEAST_MINUTES = 3;
const WATCHED = ['gateway', 'inference', 'redis'];

/** @type {import('../lib/types').Measurement} */
export const soak = {
  name: 'load/soak',
  answers: 'Does the service stay as it is under a mix of operations for a long time?',
  parameters: { minutes: 5, part: 0.5 },
  quick: { minutes: 0.4 },

  async run({ minutes, part }, log) {
    return withWorld({}, async (world) => {
      const perSecond = part * (await saturation(world, EVERYTHING, 6)).perSecond;
      log(`${figure(perSecond)} requests a second for ${minutes} minutes`);
      const steps = [{ name: 'soak', perSecond, seconds: Math.round(60 * minutes), startSeconds: 0 }];
      const run = await applyScript(world, 'soak.ts', {
        mix: EVERYTHING,
        steps,
      });
      const { answers, samples, thresholds } = run;
      const rows = byOperation(answers);
      // A working set that still fills up is no growth.
      const slopes =
        minutes < LEAST_MINUTES
          ? []
          : WATCHED.map((name) => ({ name, ...memorySlope(samples, name, WARM_UP) }));
      return {
        bars: [wrongBar(run), unservedBar(run), ...p95Bars(rows, Object.keys(EVERYTHING), 'soak')],
        figures: {
          perSecond,
          minutes,
          rows,
          slopes,
          thresholds,
          resources: resourceFigures(samples),
          samples: thinned(samples),
        },
      };
    });
  },

  report: ({ perSecond, minutes, rows, slopes, resources, thresholds }) => [
    latencyTable(rows, `${figure(perSecond)} requests a second for ${figure(minutes)} minutes`),
    ...(slopes.length === 0 ? [] : [growthTable(slopes)]),
    resourceTable(resources),
    thresholdTable(thresholds),
  ],

  charts: ({ samples }) => [
    {
      file: 'memory',
      title: 'Resident memory during the soak',
      description: 'Of gateway, inference tier and Redis, once a second.',
      x: { label: 'Seconds' },
      y: { label: 'MB' },
      series: WATCHED.map((name) => ({
        name,
        points: samples.map((/** @type {any} */ { second, rssMb }) => [second, rssMb[name] ?? Number.NaN]),
      })),
    },
  ],
};

/** @param {readonly { name: string, mbPerHour: number, intervalMbPerHour: number }[]} slopes @returns {import('../lib/types').Table} */
const growthTable = (slopes) => ({
  title: 'Growth of memory',
  columns: ['Process', 'RSS, MB per hour (95 %)'],
  rows: slopes.map(({ name, mbPerHour, intervalMbPerHour }) => [
    name,
    `${figure(mbPerHour)} ± ${figure(intervalMbPerHour)}`,
  ]),
  remark: `Least squares over the means of a dozen stretches, without the first ${100 * WARM_UP} %. Redis keeps a line of the ledger for each unit, some hundred bytes: its growth is what it is asked to remember. A few minutes say little about an hour: \`--minutes=30\` says more.`,
});
