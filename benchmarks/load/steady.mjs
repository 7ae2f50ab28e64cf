/** A mix of operations at a part of what the machine can answer: what a service in good health looks like. */
import { figure } from '../lib/report.mjs';
import { resourceFigures } from './figures.mjs';
import {
  byOperation,
  latencyTable,
  p95Bars,
  resourceTable,
  thresholdTable,
  unservedBar,
  wrongBar,
} from './parts.mjs';
import { applyScript, EVERYTHING, saturation, withWorld } from './world.mjs';

/** @type {import('../lib/types').Measurement} */
export const steady = {
  name: 'load/steady',
  answers: "Does a mix of operations, at 60 % of the most that is answered, keep the specification's times?",
  parameters: { seconds: 60, part: 0.6, perSecond: 0 },
  quick: { seconds: 8 },

  async run({ seconds, part, perSecond }, log) {
    return withWorld({}, async (world) => {
      const most = perSecond > 0 ? undefined : (await saturation(world, EVERYTHING, 6)).perSecond;
      const offered = most === undefined ? perSecond : part * most;
      log(`${figure(offered)} requests a second`);
      const run = await applyScript(world, 'steady.ts', {
        mix: EVERYTHING,
        steps: [{ name: 'steady', perSecond: offered, seconds, startSeconds: 0 }],
      });
      const rows = byOperation(run.answers);
      return {
        bars: [wrongBar(run), unservedBar(run), ...p95Bars(rows, Object.keys(EVERYTHING), 'mixed load')],
        figures: {
          offered,
          most,
          rows,
          thresholds: run.thresholds,
          unsent: run.dropped.steady?.length ?? 0,
          resources: resourceFigures(run.samples),
        },
      };
    });
  },

  report: ({ offered, unsent, rows, resources, thresholds }) => [
    {
      ...latencyTable(rows, `${figure(offered)} requests a second, evenly spaced`),
      remark: `Six detections to two comparisons and two moderations of 640x480 portraits. Times are those of right answers. ${unsent} requests were never sent, since k6 had no virtual user free.`,
    },
    resourceTable(resources),
    thresholdTable(thresholds),
  ],
};
