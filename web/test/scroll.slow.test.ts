/**
 * Wide code and tables on a phone, in Chromium: an edge where more follows has a shade.
 *
 * Slow: Chromium scrolls through pages.
 */
import { onePerTemplate } from './quality/built-site';
import { newVisit, setUpSite, site } from './stage';
import { PHONE } from './visit';

const pages = onePerTemplate.filter((address) => !['/verify', '/console'].includes(address));

setUpSite();

test('everything that scrolls sideways shows it', async () => {
  const { page } = await newVisit({ viewport: PHONE, javaScriptEnabled: false });
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
});

test('the code of the home page needs no scrolling', async () => {
  const { page } = await newVisit({ viewport: PHONE });
  await page.goto(site.url);
  await page.evaluate(() => document.fonts.ready);
  const widths = await page
    .locator('main pre')
    .evaluateAll((all) => all.map((pre) => [pre.scrollWidth, pre.clientWidth]));
  expect(widths.length).toBeGreaterThan(1);
  for (const [content = 0, box = 0] of widths) expect(content).toBeLessThanOrEqual(box);
});
