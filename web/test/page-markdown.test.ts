/** The button that copies a documentation page as Markdown, and the link to that Markdown. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type RunningSite, startSite } from '../../deploy/local/harness/index.mjs';
import { markdown as words } from '../content/docs/sidebar.json';
import { launch } from './chromium';
import { PUBLIC } from './quality/built-site';
import { buttonOf, open, startVisit, type Visit } from './visit';

const PAGES = ['/docs', '/docs/get-started', '/docs/api-reference', '/docs/api-reference/detect'];
/** A page loads its Markdown only on request. */
const isMarkdown = (url: string) => url.endsWith('.md');

let site: RunningSite;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const visits: Visit[] = [];
afterEach(() => Promise.all(visits.splice(0).map(({ context }) => context.close())));

async function visit(options: Parameters<typeof startVisit>[1] = {}): Promise<Visit> {
  const visit = await startVisit(browser, options);
  visits.push(visit);
  return visit;
}

const statusOf = ({ page }: Visit) =>
  page.locator('article header, header:has(h1)').getByRole('status').first();

test.each(PAGES)('%s copies its Markdown, which it loads only then', async (path) => {
  const reader = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await open(reader.page, site.url + path);
  expect(reader.requests.filter(isMarkdown)).toEqual([]);
  await buttonOf(reader.page, words.copy).click();
  await expect(statusOf(reader).filter({ hasText: words.copied }).waitFor()).resolves.toBeUndefined();
  expect(reader.requests.filter(isMarkdown)).toEqual([`${site.url}${path}.md`]);
  const copied = await reader.page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(readFileSync(join(PUBLIC, `${path}.md`), 'utf8'));
  expect(reader.errors).toEqual([]);
});

test('says so if the Markdown cannot be loaded', async () => {
  const reader = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await open(reader.page, `${site.url}/docs/testing`);
  await reader.context.route('**/*.md', (route) => route.fulfill({ status: 503, body: 'down' }));
  await buttonOf(reader.page, words.copy).click();
  await statusOf(reader).filter({ hasText: words.failed }).waitFor();
});

test('the link opens the Markdown, and without scripts there is no button', async () => {
  const reader = await visit({ javaScriptEnabled: false });
  await reader.page.goto(`${site.url}/docs/get-started`);
  expect(await reader.page.getByText(words.copy).isVisible()).toBe(false);
  const link = reader.page.getByRole('link', { name: words.view, exact: true });
  const address = await link.getAttribute('href');
  expect(address).toBe('/docs/get-started.md');
  expect(await (await fetch(site.url + address)).text()).toMatch(/^# Get started\n/);
});
