/** The first thing to try: little load, every operation, every answer looked at. */
import { byOperation, latencyTable, p95Bars, thresholdTable, wrongBar } from './parts.mjs';
import { applyScript, withWorld } from './world.mjs';

/** @type {import('../lib/types').Measurement} */
export const smoke = {
  name: 'load/smoke',
  answers: 'Does the whole way work under a little load, every operation, every answer right?',
  parameters: { seconds: 10 },
  quick: { seconds: 4 },

  async run({ seconds }) {
    return withWorld({}, async (world) => {
      const { answers, thresholds } = await applyScript(world, 'smoke.ts', { seconds });
      const rows = byOperation(answers);
      return {
        bars: [wrongBar(answers), ...p95Bars(rows, 'one client')],
        figures: { rows, thresholds },
      };
    });
  },

  report: ({ rows, thresholds }) => [latencyTable(rows), thresholdTable(thresholds)],
};
