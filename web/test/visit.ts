/** A visitor with a browser of their own: what they see, what their browser asks for, and what goes wrong in it. */
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import consentWords from '../content/consent.json';
import { recordRequests } from './chromium';

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Every address that the browser asked for. */
  requests: string[];
  /** What the browser's console shows in red: breaches of the page's policy, exceptions. Not what was not to be had. */
  errors: string[];
}

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };

/** Links are checked where all of them are; and an address with http cannot have everything. */
const UNAVAILABLE = /^Failed to load resource|Cross-Origin-Opener-Policy header has been ignored/;

export async function startVisit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(30_000);
  const requests = recordRequests(context);
  const errors: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' && !UNAVAILABLE.test(message.text())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return { context, page, requests, errors };
}

/** Opens a page and waits until it has come alive. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await comeAlive(page);
}

/** Loads the page again and waits until it has come alive. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await comeAlive(page);
}

/** React marks what it has taken over, the footer last. */
async function comeAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const last = document.querySelector('footer fieldset:last-of-type input');
    return last && Object.keys(last).some((key) => key.startsWith('__reactProps'));
  });
  // Effects follow in a task of their own.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

export interface Record {
  necessary: true;
  analytics: boolean;
  marketing: boolean;
  timestamp: string;
}

/** Lets the visitor have chosen at some time. */
export const haveChosen = (context: BrowserContext, url: string, record: Omit<Record, 'necessary'>) =>
  context.addCookies([
    { name: 'consent', value: encodeURIComponent(JSON.stringify({ necessary: true, ...record })), url },
  ]);

export const bannerOf = (page: Page) => page.getByRole('region', { name: consentWords.banner.label });

export const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Makes Gatsby fail to load a page, until the browser asks for the page itself. @returns how often it has failed */
export async function breakPage(context: BrowserContext, path: string): Promise<() => number> {
  let failures = 0;
  let isBroken = true;
  context.on('request', (request) => {
    if (request.isNavigationRequest() && new URL(request.url()).pathname === path) isBroken = false;
  });
  await context.route(`**/page-data${path}/page-data.json`, (route) => {
    if (!isBroken) return route.continue();
    failures += 1;
    return route.abort();
  });
  return () => failures;
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page as it is: the rule, and where. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { run } = (window as unknown as { axe: typeof import('axe-core') }).axe;
    const { violations } = await run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
