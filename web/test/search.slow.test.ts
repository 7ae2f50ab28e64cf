/**
 * The search in Chromium: by keyboard, and without JavaScript.
 *
 * Slow: it searches in Chromium with keyboard and mouse.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type RunningSite, startSite } from '../../gateway/harness/index.mjs';
import search from '../content/search.json';
import { launch } from './chromium';

let site: RunningSite;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  site = await startSite();
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await site.stop();
});
beforeEach(async () => {
  problems.length = 0;
  context = await browser.newContext();
  page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
});
afterEach(() => context.close());

const dialog = () => page.getByRole('dialog', { name: search.title });
const field = () => page.getByRole('combobox', { name: search.label });
const chosen = () => page.getByRole('option', { selected: true });

async function open(key: string) {
  await page.goto(`${site.url}/docs/get-started`);
  // The button appears after hydration.
  await page.getByRole('button', { name: search.button }).first().waitFor();
  await page.keyboard.press(key);
  await field().waitFor();
}

test.each(['Control+k', 'Meta+k', '/'])('%s opens the search with the focus in its field', async (key) => {
  await open(key);
  expect(await field().evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await field().inputValue()).toBe('');
  expect(problems).toEqual([]);
});

test('the search finds an error code, marks it, and opens it with Enter', async () => {
  await open('Control+k');
  await page.keyboard.type('RATE_LIMIT_EXCEEDED');
  await chosen().waitFor();
  expect(await chosen().textContent()).toContain('RATE_LIMIT_EXCEEDED');
  expect(await chosen().locator('mark').allTextContents()).toEqual(
    expect.arrayContaining(['RATE', 'LIMIT', 'EXCEEDED']),
  );
  expect(await chosen().textContent()).toContain('Errors');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/api-reference/errors#rate-limit-exceeded');
  expect(await dialog().count()).toBe(0);
});

test('arrow keys move through the results and wrap around', async () => {
  await open('/');
  await page.keyboard.type('liveness');
  await chosen().waitFor();
  const count = await page.getByRole('option').count();
  expect(count).toBeGreaterThan(3);
  const idOfChosen = () => chosen().getAttribute('id');
  const first = await idOfChosen();
  await page.keyboard.press('ArrowDown');
  const second = await idOfChosen();
  expect(second).not.toBe(first);
  expect(await field().getAttribute('aria-activedescendant')).toBe(second);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await idOfChosen()).toBe(await page.getByRole('option').last().getAttribute('id'));
});

test('Escape closes the search and returns the focus', async () => {
  await page.goto(`${site.url}/docs`);
  const button = page.getByRole('button', { name: search.button }).first();
  await button.press('Enter');
  await field().waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await page.waitForFunction((element) => element === document.activeElement, await button.elementHandle());
});

test('a query without results says so, and where to ask', async () => {
  await open('/');
  await page.keyboard.type('zyxwvut');
  await page.getByText(search.nothing.replace('{query}', 'zyxwvut')).waitFor();
  expect(await page.getByRole('option').count()).toBe(0);
  await dialog().getByRole('link', { name: search.ask.label }).click();
  await page.waitForURL(`**${search.ask.to}`);
  expect(await dialog().count()).toBe(0);
});

test('the search keeps what is typed while it loads', async () => {
  await page.goto(`${site.url}/docs/get-started`);
  await page.getByRole('button', { name: search.button }).first().waitFor();
  await page.waitForLoadState('networkidle');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route('**/*.js', (route) => released.then(() => route.continue()));
  await page.keyboard.type('/threshold');
  expect(await field().count()).toBe(0);
  release();
  await chosen().waitFor();
  expect(await field().inputValue()).toBe('threshold');
  await page.keyboard.type('s');
  expect(await field().inputValue()).toBe('thresholds');
});

/** Keys pressed while the dialog opens or closes would go to the page. */
async function openAnew() {
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await field().waitFor();
  await page.waitForFunction((element) => element === document.activeElement, await field().elementHandle());
}

test('a failed load of the index shows a message and is retried', async () => {
  await context.route('**/search-index.json', (route) => route.abort());
  await open('/');
  await page.getByText(search.failed).waitFor();
  await context.unroute('**/search-index.json');
  await openAnew();
  await page.keyboard.type('threshold');
  await chosen().waitFor();
});

test('the loaded search works offline', async () => {
  await open('/');
  await page.keyboard.type('webhook');
  await chosen().waitFor();
  await context.setOffline(true);
  await openAnew();
  await page.keyboard.type('threshold');
  await chosen().waitFor();
});

test('a slash in a field is text', async () => {
  await open('/');
  await page.keyboard.type('a/b');
  expect(await field().inputValue()).toBe('a/b');
});

test('without JavaScript the button links to the documentation', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const tab = await plain.newPage();
  await tab.goto(site.url);
  await tab.getByRole('link', { name: search.button }).first().click();
  expect(new URL(tab.url()).pathname).toBe(search.fallback);
  await plain.close();
});
