/** No page has anything that axe finds: here each once by day and once by night; `npm run test:web` tries all themes. */
import type { Browser } from 'playwright-core';
import { type Site, startSite } from '../start-site';
import { launch } from '../verify/browser';
import { violationsOf } from './accessibility';
import { addresses } from './built-site';

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

test.each(addresses)('%s', async (address) => {
  const url = `${site.url}${address}`;
  const byDay = await violationsOf(browser, url, { theme: 'default', mode: 'light', width: 1280 });
  const byNight = await violationsOf(browser, url, { theme: 'default', mode: 'dark', width: 390 });
  expect([byDay, byNight]).toEqual([[], []]);
});
