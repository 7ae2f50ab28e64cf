/**
 * Files of the built site for programs: sitemap, feed, robots.txt, llms.txt and llms-full.txt, Markdown twins, social
 * cards, openapi.json.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import brand from '@presenza/contract/brand.json';
import { bundleOpenapi } from '@presenza/contract/bundle.cjs';
import errors from '@presenza/contract/errors.json';
import type { Browser, Page } from 'playwright-core';
import { type RunningSite, startSite } from '../../gateway/harness/index.mjs';
import { callInNode } from './call-in-node';
import { launch } from './chromium';
import { contents, decode, tags } from './html';

const PUBLIC = join(__dirname, '..', 'public');
const read = (file: string) => readFileSync(join(PUBLIC, file), 'utf8');
const PAGES = readdirSync(PUBLIC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('index.html'))
  .map((file) => ({ path: `/${file.replace(/\/?index\.html$/, '')}`, html: read(file) }));
const metaOf = (html: string, name: string) =>
  tags(html, 'meta').find((meta) => meta.name === name || meta.property === name)?.content;
const canonicalOf = (html: string) => tags(html, 'link').find(({ rel }) => rel === 'canonical')?.href;
const SITE_URL = (canonicalOf(read('index.html')) as string).replace(/\/$/, '');
/** Pages that must be indexed, by canonical address. */
const FOUND = PAGES.filter(({ path, html }) => canonicalOf(html) === SITE_URL + path);
const DOCS = FOUND.filter(({ path }) => /^\/docs\b/.test(path));

let site: RunningSite;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  site = await startSite();
  browser = await launch();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await site.stop();
});

/** The texts of all elements of that name, parsed by a browser. Throws if the XML is malformed. */
const readXml = (xml: string, name: string) =>
  page.evaluate(
    ([text, tag]) => {
      const document = new DOMParser().parseFromString(text as string, 'application/xml');
      const failure = document.querySelector('parsererror');
      if (failure) throw new Error(failure.textContent ?? '');
      return [...document.getElementsByTagName(tag as string)].map((element) => element.textContent ?? '');
    },
    [xml, name],
  );

describe('the sitemap', () => {
  test('is listed in robots.txt and contains every indexed page', async () => {
    const robots = await (await fetch(`${site.url}/robots.txt`)).text();
    expect(robots).toContain('User-agent: *');
    const [, index = ''] = /^Sitemap: (.+)$/m.exec(robots) ?? [];
    expect(index).toBe(`${SITE_URL}/sitemap-index.xml`);
    const files = await readXml(read('sitemap-index.xml'), 'loc');
    const listed = await Promise.all(files.map((file) => readXml(read(file.slice(SITE_URL.length)), 'loc')));
    expect(listed.flat().sort()).toEqual(FOUND.map(({ path }) => SITE_URL + path).sort());
  });

  test('excludes pages with noindex', async () => {
    const hidden = PAGES.filter(({ html }) => metaOf(html, 'robots') === 'noindex').map(({ path }) => path);
    expect(hidden).toContain('/verify');
    expect(FOUND.map(({ path }) => path)).toEqual(expect.not.arrayContaining(hidden));
  });
});

test('the feed lists the articles, newest first, and pages link to it', async () => {
  const xml = read('rss.xml');
  const links = (await readXml(xml, 'link')).filter((link) => /\/blog\/./.test(link));
  const articles = FOUND.filter(({ html }) => metaOf(html, 'og:type') === 'article').map(({ path }) => path);
  expect(links.map((link) => link.slice(SITE_URL.length)).sort()).toEqual(articles.sort());
  const dates = (await readXml(xml, 'pubDate')).map((date) => Date.parse(date));
  expect(dates).toEqual([...dates].sort((a, b) => b - a));
  expect(tags(read('index.html'), 'link')).toContainEqual(
    expect.objectContaining({ type: 'application/rss+xml', href: expect.stringMatching(/\/rss\.xml$/) }),
  );
});

describe('llms.txt and the twins', () => {
  test('every link of llms.txt works', async () => {
    const links = [...read('llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThanOrEqual(FOUND.length);
    for (const link of links) {
      expect(link.startsWith(SITE_URL)).toBe(true);
      const { status } = await fetch(site.url + link.slice(SITE_URL.length));
      expect([link, status]).toEqual([link, 200]);
    }
  });

  test.each(DOCS)('$path has a twin with its headings and without MDX syntax', async ({ path, html }) => {
    expect(tags(html, 'link')).toContainEqual(
      expect.objectContaining({ rel: 'alternate', type: 'text/markdown', href: `${path}.md` }),
    );
    const response = await fetch(`${site.url}${path}.md`);
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const text = await response.text();
    expect(text.startsWith(`# ${decode(contents(html, 'h1')[0] ?? '')}\n`)).toBe(true);
    const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
    expect(prose).not.toMatch(/<[A-Z]|\{\w+\}|\]\((?:site:|\/)/);
    if (path === '/docs') return;
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    const headings = contents(main, 'h2').map((heading) => decode(heading.replace(/<[^>]+>/g, '')));
    for (const heading of headings) expect(text).toContain(`\n## ${heading}\n`);
  });
});

describe('llms-full.txt', () => {
  const full = read('llms-full.txt');

  test('contains each page of the documentation once, with its address', () => {
    for (const { path } of DOCS) {
      const [title = '', ...rest] = read(`${path}.md`).trim().split('\n');
      const count = full.split(`${title}\n\n${SITE_URL}${path}\n${rest.join('\n')}\n`).length - 1;
      // The reference on one page repeats the others.
      expect([path, count]).toEqual([path, path === '/docs/api-reference/all' ? 0 : 1]);
    }
  });

  test('is linked from llms.txt, bounded, and served compressed as text', async () => {
    expect(read('llms.txt')).toContain(`](${SITE_URL}/llms-full.txt)`);
    expect(Buffer.byteLength(full)).toBeLessThanOrEqual(2 ** 20);
    const response = await fetch(`${site.url}/llms-full.txt`, { headers: { 'Accept-Encoding': 'br' } });
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(await response.text()).toBe(full);
  });

  test('the build fails rather than exceed the bound', () => {
    const pages = [{ path: '/docs/x', text: `# X\n${'x'.repeat(2 ** 20)}` }];
    expect(() => callInNode('gatsby/after-build/llms.mjs', 'fullText', [], pages, SITE_URL)).toThrow(
      /would have \d+ bytes/,
    );
  });
});

test('openapi.json is the document that the service serves', async () => {
  const response = await fetch(`${site.url}/openapi.json`);
  expect(response.headers.get('content-type')).toContain('application/json');
  const document = await response.json();
  expect(document).toEqual(JSON.parse(JSON.stringify(bundleOpenapi())));
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);
  expect(refs.length).toBeGreaterThan(50);
  for (const ref of new Set(refs)) {
    const target = ref
      .slice(2)
      .split('/')
      .reduce((node, key) => node?.[key], document);
    expect([ref, typeof target]).toEqual([ref, 'object']);
  }
});

describe.each(FOUND)('$path', ({ html }) => {
  test('has its own card of 1200 by 630 pixels', () => {
    expect(metaOf(html, 'twitter:card')).toBe('summary_large_image');
    const address = metaOf(html, 'og:image') ?? '';
    expect(address.startsWith(`${SITE_URL}/social/`)).toBe(true);
    // Reads the header, because other suites in the same process disable sharp's PNG loader like the service does.
    const card = readFileSync(join(PUBLIC, address.slice(SITE_URL.length)));
    expect(card.subarray(1, 4).toString()).toBe('PNG');
    expect([card.readUInt32BE(16), card.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  test('has valid structured data', () => {
    for (const script of html.matchAll(/<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/g)) {
      expect(JSON.parse(script[1] as string)).toMatchObject({
        '@context': 'https://schema.org',
        '@type': expect.stringMatching(/^(?:Organization|WebSite|FAQPage|BreadcrumbList|BlogPosting)$/),
      });
    }
  });
});

test('the home page describes the organization, the documentation has breadcrumbs', () => {
  const typesOf = (html: string) =>
    [...html.matchAll(/"@context":"[^"]*","@type":"(\w+)"/g)].map(([, type]) => type);
  expect(typesOf(read('index.html'))).toEqual(['Organization', 'WebSite']);
  expect(typesOf(read('docs/get-started/index.html'))).toEqual(['BreadcrumbList']);
  expect(typesOf(read('products/face-matching/index.html'))).toEqual(['FAQPage']);
});

test('pages link to app icons of the declared sizes', async () => {
  const head = tags(read('index.html'), 'link');
  const linked = (rel: string) => head.find((link) => link.rel === rel)?.href ?? '';
  const sideOf = (address: string) => {
    const icon = readFileSync(join(PUBLIC, address));
    expect(icon.subarray(1, 4).toString()).toBe('PNG');
    return [icon.readUInt32BE(16), icon.readUInt32BE(20)];
  };
  expect(sideOf(linked('apple-touch-icon'))).toEqual([180, 180]);
  const response = await fetch(site.url + linked('manifest'));
  expect(response.headers.get('content-type')).toContain('application/manifest+json');
  const { name, icons } = await response.json();
  expect(name).toBe(brand.name);
  expect(icons.length).toBe(2);
  for (const { src, sizes } of icons) expect(sideOf(src).join('x')).toBe(sizes);
});

test('the search index contains every error and page with an existing address', () => {
  const index = read('search-index.json');
  expect(index).not.toMatch(/&(?:#\w+|[a-z]+);/);
  const { storedFields } = JSON.parse(index).index;
  const entries = Object.values(storedFields) as { heading: string; url: string }[];
  const headings = new Set(entries.map(({ heading }) => heading));
  for (const code of Object.keys(errors)) expect(headings).toContain(code);
  const addresses = new Set(entries.map(({ url }) => url));
  for (const { path } of FOUND) expect(addresses).toContain(path);
  const htmlOf = new Map(PAGES.map(({ path, html }) => [path, html]));
  for (const address of addresses) {
    const [path = '', id] = address.split('#');
    if (id) expect([address, htmlOf.get(path)?.includes(` id="${id}"`)]).toEqual([address, true]);
  }
  expect(entries.find(({ heading }) => heading === 'POST /batch')?.url).toBe(
    '/docs/api-reference/batch#run-batch',
  );
});
