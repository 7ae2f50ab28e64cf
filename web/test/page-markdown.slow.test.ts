/**
 * The button that copies a documentation page as Markdown, and the link to that Markdown.
 *
 * Slow: it copies pages in Chromium.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdown as texts } from '../content/docs/sidebar.json';
import { PUBLIC } from './quality/built-site';
import { newVisit, setUpSite, site } from './stage';
import { buttonOf, open, type Visit } from './visit';

const PAGES = ['/docs', '/docs/get-started', '/docs/api-reference', '/docs/api-reference/detect'];
/** A page loads its Markdown only on request. */
const isMarkdown = (url: string) => url.endsWith('.md');

setUpSite();

const statusOf = ({ page }: Visit) =>
  page.locator('article header, header:has(h1)').getByRole('status').first();

test.each(PAGES)('%s copies its Markdown, which it loads only then', async (path) => {
  const reader = await newVisit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await open(reader.page, site.url + path);
  expect(reader.requests.filter(isMarkdown)).toEqual([]);
  await buttonOf(reader.page, texts.copy).click();
  await expect(statusOf(reader).filter({ hasText: texts.copied }).waitFor()).resolves.toBeUndefined();
  expect(reader.requests.filter(isMarkdown)).toEqual([`${site.url}${path}.md`]);
  const copied = await reader.page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(readFileSync(join(PUBLIC, `${path}.md`), 'utf8'));
  expect(reader.errors).toEqual([]);
});

test('says so if the Markdown cannot be loaded', async () => {
  const reader = await newVisit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await open(reader.page, `${site.url}/docs/testing`);
  await reader.context.route('**/*.md', (route) => route.fulfill({ status: 503, body: 'down' }));
  await buttonOf(reader.page, texts.copy).click();
  await statusOf(reader).filter({ hasText: texts.failed }).waitFor();
});

test('the link opens the Markdown, and without scripts there is no button', async () => {
  const reader = await newVisit({ javaScriptEnabled: false });
  await reader.page.goto(`${site.url}/docs/get-started`);
  expect(await reader.page.getByText(texts.copy).isVisible()).toBe(false);
  const link = reader.page.getByRole('link', { name: texts.view, exact: true });
  const address = await link.getAttribute('href');
  expect(address).toBe('/docs/get-started.md');
  expect(await (await fetch(site.url + address)).text()).toMatch(/^# Get started\n/);
});
