/** The weight of each page in Chromium, the origins of its files, and its readability without scripts. */

import { gzipSync } from 'node:zlib';
import history from '@presenza/contract/examples/health-history-response.json';
import type { Browser, Page } from 'playwright-core';
import { type RunningSite, startSite } from '../../../gateway/harness/index.mjs';
import { launch, recordRequests } from '../chromium';
import { contents, textOf } from '../html';
import { addresses, gzippedSize, readPage, sizeOf } from './built-site';

const HISTORY = /\/health\/history$/;
const KB = 1024;
const BUDGET = { script: 132 * KB, critical: 8 * KB, sheet: 20 * KB, font: 96 * KB };

let site: RunningSite;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

test.each(addresses)('%s stays within its budget and loads nothing from other origins', async (address) => {
  const context = await browser.newContext();
  const requests = recordRequests(context);
  const errors: string[] = [];
  try {
    const page = await context.newPage();
    // The status page asks the API, which does not run here.
    await context.route(HISTORY, (route) =>
      route.fulfill({ json: history, headers: { 'access-control-allow-origin': '*' } }),
    );
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(`${site.url}${address}`);
    await idle(page);
  } finally {
    await context.close();
  }
  // The console asks the API who is signed in, and here is no API.
  if (address !== '/console') expect(errors).toEqual([]);
  const fetched = requests.filter((url) => !/^(?:data|blob):/.test(url) && !HISTORY.test(url));
  expect(fetched.filter((url) => new URL(url).origin !== new URL(site.url).origin)).toEqual([]);
  const paths = [...new Set(fetched.map((url) => new URL(url).pathname))];
  const scripts = paths.filter((path) => path.endsWith('.js'));
  const fonts = paths.filter((path) => path.endsWith('.woff2'));
  expect(scripts.length).toBeGreaterThan(0);
  expect(sum(scripts.map(gzippedSize))).toBeLessThanOrEqual(BUDGET.script);
  expect(sum(fonts.map(sizeOf))).toBeLessThanOrEqual(BUDGET.font);
  const styles = contents(readPage(address), 'style').join('');
  const sheets = paths.filter((path) => path.endsWith('.css'));
  expect(gzipSync(styles).length).toBeLessThanOrEqual(BUDGET.critical);
  expect(sum(sheets.map(gzippedSize))).toBeLessThanOrEqual(BUDGET.sheet);
});

describe('without JavaScript', () => {
  test.each(addresses.filter((address) => !['/verify', '/console'].includes(address)))(
    '%s is readable',
    async (address) => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      try {
        const page = await context.newPage();
        await page.goto(`${site.url}${address}`);
        // Disclosures open with a click, without a script. Some have others inside.
        const closed = page.locator('main details:not([open]) > summary:visible').first();
        while (await closed.count()) await closed.click();
        const written = textOf(contents(readPage(address), 'main').join(' '));
        const shown = await page.locator('main').innerText();
        expect(shown.length).toBeGreaterThan(150);
        expect(lettersOf(shown)).toBeGreaterThanOrEqual(0.75 * lettersOf(written));
        expect(await page.locator('[role=tabpanel]:not(:visible)').count()).toBe(0);
      } finally {
        await context.close();
      }
    },
  );
});

/** Waits until all files are loaded. */
const idle = (page: Page) => page.waitForLoadState('networkidle');

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Ignores spaces, which depend on line breaks. */
const lettersOf = (text: string) => text.replace(/\s+/g, '').length;
