/** From the start of the process to the first answer, with models that are compiled already. */
import { Client, detectJob } from '../lib/client.mjs';
import { demoPhotographs } from '../lib/material.mjs';
import { range } from '../lib/report.mjs';
import { startService } from '../lib/service.mjs';
import { spread } from '../lib/stats.mjs';

/** @type {import('../lib/types').Measurement} */
export const start = {
  name: 'speed/start',
  answers: 'How long does the inference tier take from start to ready, its models compiled?',
  parameters: { runs: 5 },

  async run({ runs }, log) {
    const [, , , { bytes }] = demoPhotographs();
    const taken = [];
    for (let i = 0; i < runs; i++) {
      const service = await startService();
      const client = new Client(service.url);
      try {
        const { ms } = await client.ask(detectJob(bytes));
        taken.push({ readyMs: service.startMs, reportedMs: service.reportedStartMs, firstAnswerMs: ms });
        log(`ready after ${Math.round(service.startMs)} ms, first answer ${Math.round(ms)} ms later`);
      } finally {
        client.close();
        await service.stop();
      }
    }
    const readyMs = spread(taken.map((run) => run.readyMs));
    const reportedMs = spread(taken.map((run) => run.reportedMs));
    const firstAnswerMs = spread(taken.map((run) => run.firstAnswerMs));
    return { figures: { readyMs, reportedMs, firstAnswerMs } };
  },

  bars: ({ readyMs }) => [
    {
      what: 'Start to ready, models compiled',
      value: readyMs.median / 1e3,
      unit: 's',
      bar: 3,
      better: 'lower',
      sample: { n: readyMs.values.length, of: 'starts', range: [readyMs.min / 1e3, readyMs.max / 1e3] },
    },
  ],

  report({ readyMs, reportedMs, firstAnswerMs }) {
    return [
      {
        title: 'Milliseconds',
        columns: ['What', 'Median (lowest to highest)', 'Runs'],
        rows: [
          ['spawn of the process to its line of readiness', range(readyMs), readyMs.values.length],
          ['of that, as the tier itself reports it', range(reportedMs), reportedMs.values.length],
          [
            'first detection after that (1920x1448, four faces)',
            range(firstAnswerMs),
            firstAnswerMs.values.length,
          ],
        ],
      },
    ];
  },
};
