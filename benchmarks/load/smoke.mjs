/** The first thing to try: little load, every operation, every answer looked at. */
import { p95TargetsMs } from '../lib/targets.mjs';
import { byOperation, latencyTable, p95Bars, thresholdTable, unservedBar, wrongBar } from './parts.mjs';
import { applyScript, withWorld } from './world.mjs';

/** @type {import('../lib/types').Measurement} */
export const smoke = {
  name: 'load/smoke',
  answers: 'Does the whole way work under a little load, every operation, every answer right?',
  parameters: { seconds: 10 },
  quick: { seconds: 4 },

  async run({ seconds }) {
    return withWorld({}, async (world) => {
      const run = await applyScript(world, 'smoke.ts', { seconds });
      const rows = byOperation(run.answers);
      return {
        bars: [wrongBar(run), unservedBar(run), ...p95Bars(rows, Object.keys(p95TargetsMs), 'one client')],
        figures: { rows, thresholds: run.thresholds },
      };
    });
  },

  report: ({ rows, thresholds }) => [latencyTable(rows), thresholdTable(thresholds)],
};
