/**
 * axe finds no violations on any page in all themes, in light and dark mode, on phone and desktop, including menu,
 * search and dialog. All pages show the cookie banner.
 */
import type { Browser, Page } from 'playwright-core';
import { type RunningSite, startSite } from '../../../gateway/harness/index.mjs';
import consent from '../../content/consent.json';
import navigation from '../../content/navigation.json';
import search from '../../content/search.json';
import { MODES, THEME, THEMES } from '../../src/features/theme/themes';
import { launch } from '../chromium';
import { bannerOf, buttonOf, DESKTOP, PHONE, startVisit, violations } from '../visit';
import { addresses } from './built-site';

const SCREENS = { phone: PHONE, desk: DESKTOP };
/** All rules for all themes and modes of a page. */
jest.setTimeout(3_000_000);

let site: RunningSite;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** @param before actions of the visitor before the scan */
async function violationsIn(
  address: string,
  viewport: typeof DESKTOP,
  before: (page: Page) => Promise<unknown>,
): Promise<string[]> {
  const { context, page } = await startVisit(browser, { viewport });
  const problems: string[] = [];
  try {
    await page.goto(site.url + address, { waitUntil: 'networkidle' });
    await before(page);
    for (const theme of THEMES) {
      for (const colorScheme of MODES.filter((mode) => mode !== 'system')) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.evaluate(
          ([name, value]) => {
            document.documentElement.dataset[name] = value;
          },
          [THEME.attribute, theme] as const,
        );
        problems.push(...(await violations(page)).map((text) => `${theme}, ${colorScheme}: ${text}`));
      }
    }
    return problems;
  } finally {
    await context.close();
  }
}

/** All pages but the verification page have the cookie banner. */
const asked = (page: Page) => bannerOf(page).waitFor();
const pages = addresses.filter((address) => !['/verify', '/console'].includes(address));

describe.each(Object.entries(SCREENS))('on a %s', (_, viewport) => {
  test.each(pages)('%s', async (address) => {
    expect(await violationsIn(address, viewport, asked)).toEqual([]);
  });

  test('/verify', async () => {
    expect(await violationsIn('/verify', viewport, async () => {})).toEqual([]);
  });

  test('the cookie preferences', async () => {
    const openSettings = async (page: Page) => {
      await buttonOf(page, consent.banner.preferences).click();
      await page.getByRole('dialog', { name: consent.dialog.heading }).waitFor();
    };
    expect(await violationsIn('/', viewport, openSettings)).toEqual([]);
  });

  test('the search with results', async () => {
    const find = async (page: Page) => {
      await page.keyboard.press('/');
      await page.getByRole('combobox', { name: search.label }).fill('liveness');
      await page.getByRole('option', { selected: true }).waitFor();
    };
    expect(await violationsIn('/docs/get-started', viewport, find)).toEqual([]);
  });
});

test('the menu on a phone', async () => {
  const openMenu = async (page: Page) => {
    await buttonOf(page, navigation.menu.open).click();
    await page.locator('header').getByRole('navigation').getByRole('link').first().waitFor();
  };
  expect(await violationsIn('/', PHONE, openMenu)).toEqual([]);
});
