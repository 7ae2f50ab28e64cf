/** Clients of full batches, and one that asks about single pictures beside them. */

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
import { applyScript, withWorld } from './world.mjs';

/** @type {import('../lib/types').Measurement} */
export const batch = {
  name: 'load/batch',
  answers:
    'How many pictures a second do batches carry, and is a single picture beside them still answered in time?',
  parameters: { seconds: 30, clients: 2, batchSize: 32 },
  quick: { seconds: 8 },

  async run({ seconds, clients, batchSize }, log) {
    return withWorld({}, async (world) => {
      const [bulk, single] = Object.values(world.apiKeys);
      const run = await applyScript(world, 'batch.ts', {
        apiKeys: { bulk, single },
        clients,
        seconds,
        batchSize,
      });
      const rows = byOperation(run.answers);
      const done = run.answers.filter(({ operation, outcome }) => operation === 'batch' && outcome === 'ok');
      if (done.length === 0) throw new Error(`No batch came to anything: ${JSON.stringify(run.falseChecks)}`);
      const lasted = (Math.max(...done.map(({ endMs }) => endMs)) - done[0].beginMs) / 1000;
      const imagesPerSecond = (done.length * batchSize) / lasted;
      log(`${figure(imagesPerSecond)} pictures a second in batches`);
      return {
        bars: [wrongBar(run), unservedBar(run), ...p95Bars(rows, ['detect'], 'beside full batches')],
        figures: {
          clients,
          batchSize,
          imagesPerSecond,
          rows,
          thresholds: run.thresholds,
          resources: resourceFigures(run.samples),
        },
      };
    });
  },

  report: ({ clients, batchSize, imagesPerSecond, rows, resources, thresholds }) => [
    {
      ...latencyTable(
        rows,
        `${clients} clients with batches of ${batchSize}, one with two pictures a second`,
      ),
      remark: `${figure(imagesPerSecond)} pictures a second in batches. A batch is right when each of its pictures is.`,
    },
    resourceTable(resources),
    thresholdTable(thresholds),
  ],
};
