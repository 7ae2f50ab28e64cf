/** No kind of page has anything that axe finds, by day or by night; `npm run test:web` tries all pages in all themes. */
import type { Browser } from 'playwright-core';
import { launch } from '../chromium';
import { type Site, startSite } from '../start-site';
import { type Appearance, violationsOf } from './accessibility';
import { onePerTemplate } from './built-site';

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const byDay: Appearance = { theme: 'default', mode: 'light', width: 1280 };
const byNight: Appearance = { theme: 'default', mode: 'dark', width: 390 };

test.each(onePerTemplate.map((address, i) => [address, i % 2 ? byNight : byDay] as const))(
  '%s',
  async (address, appearance) => {
    expect(await violationsOf(browser, `${site.url}${address}`, appearance)).toEqual([]);
  },
);
