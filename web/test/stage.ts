/** The set-up of tests that look at the built site in Chromium. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { type RunningSite, startSite } from '../../gateway/harness/index.mjs';
import { launch } from './chromium';
import { startVisit, type Visit } from './visit';

/** Shared by all tests of a file. */
export let site: RunningSite;
let browser: Browser;
const visits: Visit[] = [];

/** Call it once per file. */
export function setUpSite(): void {
  beforeAll(async () => {
    [browser, site] = await Promise.all([launch(), startSite()]);
  });
  afterEach(() => Promise.all(visits.splice(0).map(({ context }) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });
}

/** A visitor until the end of the test. */
export async function newVisit(options: BrowserContextOptions = {}): Promise<Visit> {
  const visit = await startVisit(browser, options);
  visits.push(visit);
  return visit;
}
