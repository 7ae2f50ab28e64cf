/** No kind of page has anything that axe finds, by day or by night; `npm run test:web` tries all pages in all themes. */
import type { Browser } from 'playwright-core';
import { type RunningSite, startSite } from '../../../deploy/local/harness/index.mjs';
import { launch } from '../chromium';
import { DESKTOP, PHONE, startVisit, violations } from '../visit';
import { onePerTemplate } from './built-site';

let site: RunningSite;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const byDay = { colorScheme: 'light', viewport: DESKTOP } as const;
const byNight = { colorScheme: 'dark', viewport: PHONE } as const;

test.each(onePerTemplate.map((address, i) => [address, i % 2 ? byNight : byDay] as const))(
  '%s',
  async (address, appearance) => {
    const { context, page } = await startVisit(browser, appearance);
    try {
      await page.goto(site.url + address, { waitUntil: 'networkidle' });
      expect(await violations(page)).toEqual([]);
    } finally {
      await context.close();
    }
  },
);
