/** How long the site takes to build: from nothing, and again with what the first build kept. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../lib/paths.mjs';
import { spread } from '../lib/stats.mjs';

const WEB = join(ROOT, 'web');
const GATSBY = createRequire(join(WEB, 'package.json')).resolve('gatsby/cli.js');

/** @type {import('../lib/types').Measurement} */
export const siteBuild = {
  name: 'web/site-build',
  answers: 'How long does the site take to build, cold and warm?',
  parameters: { rounds: 3 },

  async run({ rounds }, log) {
    const cold = [];
    const warm = [];
    for (let round = 0; round < rounds; round++) {
      for (const folder of ['.cache', 'public']) rmSync(join(WEB, folder), { recursive: true, force: true });
      cold.push(await seconds());
      warm.push(await seconds());
      log(`${cold[round].toFixed(1)} s cold, ${warm[round].toFixed(1)} s warm`);
    }
    const figures = { cold: spread(cold), warm: spread(warm) };
    return {
      bars: [
        { what: 'Cold build, median', value: figures.cold.median, unit: 's', bar: 60, better: 'lower' },
        { what: 'Warm build, median', value: figures.warm.median, unit: 's', bar: 15, better: 'lower' },
      ],
      figures,
    };
  },

  report: ({ cold, warm }) => [
    {
      title: 'Seconds',
      columns: ['', 'Median', 'Least', 'Most'],
      rows: [
        ['Cold', ...cells(cold)],
        ['Warm, nothing changed', ...cells(warm)],
      ],
      remark: '`gatsby build` as a process, with the compression of every file at its end.',
    },
  ],
};

const cells = (/** @type {any} */ one) =>
  [one.median, one.min, one.max].map((/** @type {number} */ value) => value.toFixed(1));

async function seconds() {
  const begin = performance.now();
  const env = { ...process.env, NODE_ENV: 'production', CI: 'true' };
  await promisify(execFile)(process.execPath, [GATSBY, 'build'], { cwd: WEB, env, maxBuffer: 2 ** 26 });
  return (performance.now() - begin) / 1000;
}
