/** What axe finds in a page of a real browser. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export interface Appearance {
  readonly theme: string;
  readonly mode: 'light' | 'dark';
  /** Of the window, in px. */
  readonly width: number;
}

/** @param before what a visitor does on the page first */
export async function violationsOf(
  browser: Browser,
  url: string,
  appearance: Appearance,
  before: (page: Page) => Promise<void> = async () => {},
): Promise<string[]> {
  const { theme, mode, width } = appearance;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: mode,
    reducedMotion: 'reduce',
  });
  try {
    await context.addInitScript((name) => localStorage.setItem('theme', name), theme);
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    await before(page);
    await page.evaluate(axe);
    return await page.evaluate(async () => {
      const { run } = (window as unknown as { axe: typeof import('axe-core') }).axe;
      const { violations } = await run(document);
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    });
  } finally {
    await context.close();
  }
}
