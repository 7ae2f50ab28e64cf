/**
 * axe finds no violations on one page of each template, in light or dark mode. `npm run test:web` scans all pages in
 * all themes.
 *
 * Slow: axe reads one page of each template, in two appearances.
 */
import type { Browser } from 'playwright-core';
import { type RunningSite, startSite } from '../../../gateway/harness/index.mjs';
import { launch } from '../chromium';
import { bannerOf, DESKTOP, PHONE, startVisit, type Visit, violations } from '../visit';
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

/** Neighboring pages have different appearances. All pages of one appearance share a tab. */
const APPEARANCES = [
  { name: 'light, on a desktop', options: { colorScheme: 'light', viewport: DESKTOP } },
  { name: 'dark, on a phone', options: { colorScheme: 'dark', viewport: PHONE } },
] as const;

describe.each(APPEARANCES)('$name', ({ options }) => {
  let visit: Visit;
  beforeAll(async () => {
    visit = await startVisit(browser, options);
  });
  afterAll(() => visit?.context.close());

  const pages = onePerTemplate.filter((_, i) => APPEARANCES[i % APPEARANCES.length]?.options === options);
  test.each(pages)('%s', async (address) => {
    await visit.page.goto(site.url + address);
    // The banner appears after hydration. Pages without the frame of the site store nothing optional and have none.
    if (!['/verify', '/console'].includes(address)) await bannerOf(visit.page).waitFor();
    // The console reports the missing service once it has waited.
    await visit.page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await violations(visit.page)).toEqual([]);
  });
});
