/**
 * Pages on paper, in Chromium: disclosures are open, and code is complete.
 *
 * Slow: Chromium prints pages.
 */
import type { Page } from 'playwright-core';
import { newVisit, setUpSite, site } from './stage';
import { open } from './visit';

setUpSite();

/** The heights of what closed disclosures hide, except for disclosures in hidden elements. */
const hidden = (page: Page) =>
  page.locator('main details:not([open])').evaluateAll((all) =>
    all
      .filter((details) => details.checkVisibility())
      .map((details) => {
        const content = details.querySelector(':scope > summary + *');
        return content?.checkVisibility({ contentVisibilityAuto: true })
          ? content.getBoundingClientRect().height
          : 0;
      }),
  );

test.each(['/support/faq', '/pricing', '/docs/api-reference/detect', '/docs/models'])(
  'closed disclosures of %s show their content on paper, without JavaScript as well',
  async (address) => {
    const { page } = await newVisit({ javaScriptEnabled: false });
    await page.goto(site.url + address);
    const onScreen = await hidden(page);
    expect(onScreen.length).toBeGreaterThan(0);
    expect(Math.max(...onScreen)).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(Math.min(...(await hidden(page)))).toBeGreaterThan(10);
  },
);

test('code beside the API reference is complete on paper', async () => {
  const { page } = await newVisit();
  await page.goto(`${site.url}/docs/api-reference/detect`);
  await page.emulateMedia({ media: 'print' });
  const cut = await page
    .locator('main pre:visible')
    .evaluateAll((all) =>
      all
        .filter((pre) => pre.scrollHeight > pre.clientHeight + 1 || pre.scrollWidth > pre.clientWidth + 1)
        .map((pre) => pre.textContent),
    );
  expect(cut).toEqual([]);
});

test('browsers without ::details-content open the disclosures for the time of printing', async () => {
  const { page } = await newVisit();
  await page.addInitScript(() => {
    CSS.supports = () => false;
  });
  await open(page, `${site.url}/support/faq`);
  await page.locator('main summary').first().click();
  const openCount = () => page.locator('main details[open]').count();
  const print = (name: string) => page.evaluate((type) => window.dispatchEvent(new Event(type)), name);
  expect(await openCount()).toBe(1);
  await print('beforeprint');
  expect(await openCount()).toBe(await page.locator('main details').count());
  await print('afterprint');
  expect(await openCount()).toBe(1);
});
