/** Every page in every theme, by day and by night, on a phone and on a desk: what `npm run test:web` adds. */
import type { Browser } from 'playwright-core';
import { THEMES } from '../../src/features/theme/themes';
import { launch } from '../chromium';
import { type Site, startSite } from '../start-site';
import { type Appearance, violationsOf } from './accessibility';
import { addresses } from './built-site';

/** Pages that are looked at at once. */
const AT_ONCE = 2;

const appearances: readonly Appearance[] = THEMES.flatMap((theme) =>
  (['light', 'dark'] as const).flatMap((mode) => [390, 1280].map((width) => ({ theme, mode, width }))),
);

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

test.each(addresses)(
  '%s',
  async (address) => {
    const left = [...appearances];
    const found: string[] = [];
    const look = async () => {
      for (let one = left.pop(); one; one = left.pop()) {
        const violations = await violationsOf(browser, `${site.url}${address}`, one);
        found.push(...violations.map((text) => `${Object.values(one).join(' ')}: ${text}`));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, look));
    expect(found).toEqual([]);
  },
  180_000,
);
