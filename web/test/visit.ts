/** A visitor in their own browser context, with requests and errors. */
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import consentTexts from '../content/consent.json';
import { recordRequests } from './chromium';

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** All requested addresses. */
  requests: string[];
  /** Errors in the consoles of all tabs, such as policy violations and exceptions, except failed loads. */
  errors: string[];
}

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };

/** html.slow.test.ts checks links, and http addresses lack some features. */
const UNAVAILABLE = /^Failed to load resource|Cross-Origin-Opener-Policy header has been ignored/;

export async function startVisit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
  const requests = recordRequests(context);
  const errors: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !UNAVAILABLE.test(message.text())) errors.push(message.text());
  });
  context.on('weberror', (error) => errors.push(String(error.error())));
  const page = await context.newPage();
  return { context, page, requests, errors };
}

/** Opens a page and waits for hydration. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await hydrated(page);
}

/** Reloads the page and waits for hydration. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await hydrated(page);
}

/** React marks hydrated elements, the footer last. */
async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const last = document.querySelector('footer fieldset:last-of-type input');
    return last && Object.keys(last).some((key) => key.startsWith('__reactProps'));
  });
  // Effects run in a later task.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

export interface Record {
  necessary: true;
  analytics: boolean;
  marketing: boolean;
  timestamp: string;
}

/** Stores a choice of the visitor. */
export const haveChosen = (context: BrowserContext, url: string, record: Omit<Record, 'necessary'>) =>
  context.addCookies([
    { name: 'consent', value: encodeURIComponent(JSON.stringify({ necessary: true, ...record })), url },
  ]);

export const bannerOf = (page: Page) => page.getByRole('region', { name: consentTexts.banner.label });

export const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Makes Gatsby's loader fail for a page, until the browser navigates to it. @returns the number of failures */
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

/**
 * The violations that axe finds, each with its rule and elements.
 * @param within a selector, where the rest of the page is scanned elsewhere
 */
export async function violations(page: Page, within = 'html'): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async (selector) => {
    const { run } = (window as unknown as { axe: typeof import('axe-core') }).axe;
    const { violations } = await run(selector, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, within);
}
