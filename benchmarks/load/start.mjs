/** Measures the time from the start of the inference tier to its first response, with compiled models. */
import { detectJob } from '../lib/client.mjs';
import { atMost } from '../lib/figures.mjs';
import { demoPhotos } from '../lib/material.mjs';
import { range } from '../lib/report.mjs';
import { spread } from '../lib/stats.mjs';
import { withTier } from '../lib/tier.mjs';

const row = (phase, times) => [phase, range(times), times.values.length];

/** @type {import('../lib/types').Measurement} */
export const start = {
  name: 'load/start',
  question: 'How long does the inference tier take from start to ready, with compiled models?',
  conditions: { runs: 5 },
  quick: { runs: 1 },

  async run({ runs }, log) {
    const { bytes } = demoPhotos()[3];
    const taken = [];
    for (let i = 0; i < runs; i++) {
      await withTier(async ({ client, startMs, reportedStartMs }) => {
        const { ms } = await client.request(detectJob(bytes));
        taken.push({ readyMs: startMs, reportedMs: reportedStartMs, firstResponseMs: ms });
        log(`ready after ${Math.round(startMs)} ms, first response ${Math.round(ms)} ms later`);
      });
    }
    const spreadOf = (key) => spread(taken.map((run) => run[key]));
    return {
      readyMs: spreadOf('readyMs'),
      reportedMs: spreadOf('reportedMs'),
      firstResponseMs: spreadOf('firstResponseMs'),
    };
  },

  summarize: ({ readyMs, reportedMs, firstResponseMs }) => ({
    figures: [
      atMost('Start to ready, models compiled', readyMs.median / 1e3, 's', 3, {
        n: readyMs.values.length,
        items: 'starts',
        range: [readyMs.min / 1e3, readyMs.max / 1e3],
      }),
    ],
    tables: [
      {
        title: 'Milliseconds',
        columns: 'Phase | Median (lowest to highest) | Runs',
        rows: [
          row('spawn of the process to its line of readiness', readyMs),
          row('the part of this that the tier itself reports', reportedMs),
          row('first detection after that (1920x1448, four faces)', firstResponseMs),
        ],
      },
    ],
  }),
};
