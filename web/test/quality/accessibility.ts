/** What axe finds in a page of a real browser. */
import type { Browser, Page } from 'playwright-core';
import { violations } from '../visit';

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
    return await violations(page);
  } finally {
    await context.close();
  }
}
