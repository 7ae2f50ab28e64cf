/** The site and the console as Lighthouse sees them on a simulated phone, with the whole service on this machine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium, freePort, runToEnd, signUp, startService } from '../../gateway/harness/index.mjs';
import { medianAtLeast } from '../lib/figures.mjs';
import { spread } from '../lib/stats.mjs';

/** Installed by npx when it is needed: its 190 packages serve this measurement alone. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const pages = ['/', '/pricing', '/docs/get-started', '/console', '/console/keys', '/console/usage'];
/** The console is excluded from search engines, so it has no score for them. */
const targets = { performance: 95, accessibility: 100, 'best-practices': 100 };

/** @type {import('../lib/types').Measurement} */
export const lighthouseScores = {
  name: 'load/console-lighthouse',
  question: 'Which scores does Lighthouse give pages of the site and of the console on a simulated phone?',
  conditions: { rounds: 3 },
  quick: { rounds: 1 },

  async run({ rounds }, log) {
    const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'));
    const [service, port] = await Promise.all([
      startService({ site: true, gatewayEnv: { CONSOLE: 'on' } }),
      freePort(),
    ]);
    // Lighthouse opens its pages in the browser's own context, which therefore has to be signed in.
    const browser = await chromium.launchPersistentContext(folder, {
      executablePath: findChromium(),
      args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
    });
    try {
      await signUp(service, 'owner@example.com', browser.request);
      const scores = [];
      for (const path of pages) {
        const runs = [];
        for (let round = 0; round < rounds; round++) runs.push(await rate(`${service.siteUrl}${path}`, port));
        const failed = [...new Set(runs.flatMap((run) => run.failed))];
        const scoreOf = (name) => spread(runs.map(({ categories }) => categories[name]));
        const pageScores = Object.fromEntries(Object.keys(targets).map((name) => [name, scoreOf(name)]));
        log(`${path}: ${Object.values(pageScores).map(({ median }) => median)} ${failed}`);
        scores.push({ path, scores: pageScores, failed });
      }
      return { scores };
    } finally {
      await browser.close();
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },

  summarize: ({ scores }) => ({
    figures: Object.entries(targets).map(([name, target]) => {
      const [lowest] = scores.map((page) => page.scores[name]).sort((a, b) => a.median - b.median);
      return medianAtLeast(`Lowest of the pages: ${name}`, lowest, '', target);
    }),
    tables: [
      {
        title: 'Scores, median of the rounds',
        columns: `Page | ${Object.keys(targets).join(' | ')} | Audits that failed`,
        rows: scores.map((page) => [
          page.path,
          ...Object.values(page.scores).map(({ median, min, max }) => `${median} (${min} to ${max})`),
          page.failed.join(', ') || '–',
        ]),
        remark:
          "Lighthouse 12's default: a mid-range phone on slow 4G, simulated. Pages below /console are those of a signed-in owner of a new account. Audits that failed are those of the other categories than performance.",
      },
    ],
  }),
};

/** Runs of one page until one has all scores: Chromium sometimes records no trace. */
const ATTEMPTS = 3;

/** @returns the scores, 0 to 100, and the ids of failed audits outside performance */
async function rate(url, port, attempt = 1) {
  const onlyCategories = Object.keys(targets);
  // The sign-in is a cookie, which Lighthouse would clear.
  const options = [
    `--only-categories=${onlyCategories}`,
    '--disable-storage-reset',
    '--quiet',
    '--output=json',
  ];
  const { code, stdout, stderr } = await runToEnd('npx', [
    '--yes',
    LIGHTHOUSE,
    url,
    `--port=${port}`,
    ...options,
  ]);
  if (code !== 0) throw new Error(`Lighthouse has no result for ${url}: ${stderr}`);
  const { categories, audits, finalDisplayedUrl } = JSON.parse(stdout);
  const missing = onlyCategories.filter((name) => categories[name].score === null);
  if (missing.length > 0 && attempt < ATTEMPTS) return rate(url, port, attempt + 1);
  if (missing.length > 0) {
    const reasons = Object.values(audits).flatMap(({ errorMessage }) => errorMessage ?? []);
    throw new Error(`Lighthouse has no score of ${url} for ${missing}: ${[...new Set(reasons)].join('; ')}`);
  }
  if (new URL(finalDisplayedUrl).pathname !== new URL(url).pathname) {
    throw new Error(`${url} led to ${finalDisplayedUrl}.`);
  }
  const others = onlyCategories.filter((name) => name !== 'performance');
  const refs = others.flatMap((name) => categories[name].auditRefs);
  const failed = refs.filter(({ id, weight }) => weight > 0 && (audits[id].score ?? 1) < 1);
  return {
    categories: Object.fromEntries(
      onlyCategories.map((name) => [name, Math.round(100 * (categories[name].score ?? Number.NaN))]),
    ),
    failed: failed.map(({ id }) => id),
  };
}
