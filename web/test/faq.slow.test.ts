/**
 * The FAQ in Chromium: questions open and close independently, and a link opens its question.
 *
 * Slow: it opens and closes the answers in Chromium.
 */
import type { Browser } from 'playwright-core';
import { type RunningSite, startSite } from '../../gateway/harness/index.mjs';
import faq from '../content/faq.json';
import { launch } from './chromium';

const [first, second] = faq.questions.map(({ slug }) => slug);
let site: RunningSite;
let browser: Browser;

beforeAll(async () => {
  site = await startSite();
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await site.stop();
});

const openPage = async (hash: string, javaScriptEnabled = true) => {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(`${site.url}/support/faq${hash}`);
  return {
    page,
    isOpen: (slug = '') => page.locator(`#${slug}`).getAttribute('open'),
    toggle: (slug = '') => page.locator(`#${slug} summary`).click(),
    close: () => context.close(),
  };
};

test.each([true, false])('several questions can be open, with JavaScript: %s', async (withJavaScript) => {
  const faqPage = await openPage('', withJavaScript);
  expect(await faqPage.isOpen(first)).toBeNull();
  await faqPage.toggle(first);
  await faqPage.toggle(second);
  expect([await faqPage.isOpen(first), await faqPage.isOpen(second)]).toEqual(['', '']);
  await faqPage.toggle(first);
  expect([await faqPage.isOpen(first), await faqPage.isOpen(second)]).toEqual([null, '']);
  await faqPage.close();
});

test('a link to a question opens only that one, initially and later', async () => {
  const faqPage = await openPage(`#${second}`);
  await faqPage.page.locator(`#${second}[open]`).waitFor();
  expect(await faqPage.isOpen(first)).toBeNull();
  await faqPage.page.evaluate((hash) => {
    window.location.hash = hash;
  }, first as string);
  await faqPage.page.locator(`#${first}[open]`).waitFor();
  await faqPage.close();
});
