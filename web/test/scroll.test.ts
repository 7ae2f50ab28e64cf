/** Wide code and tables on a phone, in Chromium: an edge where more follows has a shade. */
import type { Browser } from 'playwright-core';
import { type RunningSite, startSite } from '../../deploy/local/harness/index.mjs';
import { launch } from './chromium';
import { onePerTemplate } from './quality/built-site';
import { PHONE, startVisit } from './visit';

const pages = onePerTemplate.filter((address) => !['/verify', '/console'].includes(address));

let browser: Browser;
let site: RunningSite;
beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), startSite()]);
});
afterAll(() => Promise.all([browser.close(), site.stop()]));

test('everything that scrolls sideways shows it', async () => {
  const { context, page } = await startVisit(browser, { viewport: PHONE, javaScriptEnabled: false });
  let count = 0;
  for (const address of [...pages, '/docs/web/api-integration', '/docs/operations/capacity']) {
    await page.goto(site.url + address);
    const boxes = await page
      .locator('main pre:visible, main table:visible, main section:visible, main .table-scroll:visible')
      .evaluateAll((all) =>
        all
          .filter((box) => box.scrollWidth > box.clientWidth + 1)
          .map((box) => {
            const { overflowX, backgroundAttachment } = getComputedStyle(box);
            return {
              text: box.textContent?.slice(0, 60),
              hasCue: overflowX === 'auto' && backgroundAttachment.startsWith('local, local, scroll, scroll'),
            };
          }),
      );
    expect(boxes.filter(({ hasCue }) => !hasCue).map(({ text }) => `${address}: ${text}`)).toEqual([]);
    count += boxes.length;
  }
  expect(count).toBeGreaterThan(10);
  await context.close();
});

test('the code of the home page needs no scrolling', async () => {
  const { context, page } = await startVisit(browser, { viewport: PHONE });
  await page.goto(site.url);
  await page.evaluate(() => document.fonts.ready);
  const widths = await page
    .locator('main pre')
    .evaluateAll((all) => all.map((pre) => [pre.scrollWidth, pre.clientWidth]));
  expect(widths.length).toBeGreaterThan(1);
  for (const [content = 0, box = 0] of widths) expect(content).toBeLessThanOrEqual(box);
  await context.close();
});
