/** The site as Lighthouse sees it from a slow telephone: the built pages, served as `npm start` serves them. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../lib/paths.mjs';
import { startProcess } from '../lib/process.mjs';
import { Skip } from '../lib/skip.mjs';
import { spread } from '../lib/stats.mjs';
import { loadTypescript } from '../lib/typescript.mjs';

const { findChromium } = loadTypescript('web', 'test', 'chromium.ts');
const { resolve } = createRequire(join(ROOT, 'web', 'package.json'));

const PAGES = [
  '/',
  '/pricing',
  '/products/face-detection',
  '/docs/api-reference',
  '/blog/usage-and-limits-best-practice',
];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
/** Of performance; the other categories have no spread and no room. */
const PERFORMANCE_BAR = 95;

/** @type {import('../lib/types').Measurement} */
export const lighthouse = {
  name: 'web/lighthouse',
  answers: 'What does Lighthouse give the pages of the site on a simulated telephone?',
  parameters: { rounds: 3 },

  async run({ rounds }, log) {
    const chromium = installedChromium();
    const site = await startProcess(process.execPath, [join(ROOT, 'web', 'serve.mjs')], {
      env: { WEB_PORT: '0' },
      ready: 'url',
    });
    try {
      const { url } = JSON.parse(site.line);
      /** @type {{ path: string, scores: any[], failed: string[] }[]} */
      const pages = [];
      for (const path of PAGES) {
        /** @type {Awaited<ReturnType<typeof look>>[]} */
        const runs = [];
        for (let round = 0; round < rounds; round++) runs.push(await look(`${url}${path}`, chromium));
        const scores = CATEGORIES.map((name) => ({ name, ...spread(runs.map((run) => run.scores[name])) }));
        const failed = [...new Set(runs.flatMap((run) => run.failed))];
        log(`${path}: ${scores.map(({ median }) => median).join(', ')} ${failed.join(', ')}`);
        pages.push({ path, scores, failed });
      }
      return { bars: CATEGORIES.map((name) => barOf(name, pages)), figures: { pages } };
    } finally {
      await site.stop();
    }
  },

  report: ({ pages }) => [
    {
      title: 'Scores, median of the runs',
      columns: ['Page', ...CATEGORIES, 'Audits that failed'],
      rows: pages.map((/** @type {any} */ page) => [
        page.path,
        ...page.scores.map((/** @type {any} */ { median, min, max }) => `${median} (${min} to ${max})`),
        page.failed.join(', ') || '–',
      ]),
      remark:
        "Lighthouse 12's default: a mid-range telephone on slow 4G, simulated. Audits count in other categories than performance.",
    },
  ],
};

function installedChromium() {
  try {
    return findChromium();
  } catch {
    throw new Skip('Lighthouse needs chromium on the PATH.');
  }
}

/** @param {string} name @param {readonly any[]} pages @returns {import('../lib/types').Bar} */
function barOf(name, pages) {
  const medians = pages.map(
    ({ scores }) => scores.find((/** @type {any} */ one) => one.name === name).median,
  );
  return {
    what: `Lowest of the pages: ${name}`,
    value: Math.min(...medians),
    unit: '',
    bar: name === 'performance' ? PERFORMANCE_BAR : 100,
    better: 'higher',
  };
}

/**
 * Lighthouse gives up now and then because the browser's trace lacks its beginning: then it looks again.
 * @param {string} url @param {string} chromium @param {number} [triesLeft]
 * @returns {ReturnType<typeof lookOnce>}
 */
const look = (url, chromium, triesLeft = 2) =>
  lookOnce(url, chromium).catch((error) => {
    if (triesLeft === 0) throw error;
    return look(url, chromium, triesLeft - 1);
  });

/** @param {string} url @param {string} chromium */
async function lookOnce(url, chromium) {
  const cli = join(dirname(resolve('lighthouse/package.json')), 'cli', 'index.js');
  const args = [cli, url, '--quiet', '--output=json', '--chrome-flags=--headless=new --no-sandbox'];
  const env = { ...process.env, CHROME_PATH: chromium };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 28 });
  const { categories, audits, runtimeError } = JSON.parse(stdout);
  if (runtimeError) throw new Error(runtimeError.message);
  /** @type {Record<string, number>} */
  const scores = {};
  for (const name of CATEGORIES) scores[name] = Math.round(100 * categories[name].score);
  const failed = CATEGORIES.slice(1)
    .flatMap((name) => categories[name].auditRefs)
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
    .map(({ id }) => id);
  return { scores, failed };
}
