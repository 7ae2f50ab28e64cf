/** The states of figures in Chromium: each has a symbol, a color and a text of its own. */
import type { Page } from 'playwright-core';
import claims from '../content/claims.json';
import { newVisit, setUpSite, site } from './stage';

setUpSite();

/** The first element of each status in a part of the page. */
const statuses = (page: Page, within: string) =>
  page.locator(`${within} [data-status]`).evaluateAll((all) => {
    const byStatus: Record<string, { color: string; symbol: string; text: string }> = {};
    for (const element of all as HTMLElement[]) {
      const before = getComputedStyle(element, '::before');
      const { width, height, borderStyle, borderWidth, backgroundImage, transform } = before;
      byStatus[element.dataset.status ?? ''] ??= {
        color: getComputedStyle(element).color,
        symbol: [width, height, borderStyle, borderWidth, backgroundImage, transform].join('; '),
        text: element.textContent ?? '',
      };
    }
    return byStatus;
  });

const distinct = (values: readonly (string | undefined)[]) => new Set(values).size;

test.each(['light', 'dark'] as const)('the claims page has all of them, in %s mode', async (colorScheme) => {
  const { page } = await newVisit({ colorScheme });
  await page.goto(`${site.url}/claims`);
  const { reached, missed, open, measured, unmeasured, ...rest } = await statuses(page, 'main');
  const main = [reached, missed, open, measured, unmeasured];
  for (const values of [main.map((state) => state?.color), main.map((state) => state?.symbol)])
    expect(distinct(values)).toBe(main.length);
  const all = [...main, ...Object.values(rest)];
  expect(all.map((state) => state?.text).sort()).toEqual(claims.states.map(({ label }) => label).sort());
});

test('the benchmarks page sets missed targets apart from reached ones', async () => {
  const { page } = await newVisit();
  await page.goto(`${site.url}/benchmarks`);
  const { reached, missed } = await statuses(page, 'table');
  expect(reached?.color).not.toBe(missed?.color);
  expect(reached?.symbol).not.toBe(missed?.symbol);
  expect(reached?.text).not.toBe(missed?.text);
});
