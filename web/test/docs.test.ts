/** Documentation pages: aliases, hub, sidebar and neighbors. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningSite, startSite } from '../../gateway/harness/index.mjs';
import sidebar from '../content/docs/sidebar.json';
import { contents, tags, textOf } from './html';
import { PUBLIC, readPage } from './quality/built-site';

const canonicalOf = (html: string) => tags(html, 'link').find(({ rel }) => rel === 'canonical')?.href;

const PLATFORMS = ['web', 'flutter', 'ios', 'android'];
const ALIASES = [
  ['/docs/getting-started', '/docs/get-started'],
  ...PLATFORMS.map((platform) => [`/docs/${platform}`, `/docs/${platform}/api-integration`]),
] as [string, string][];

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

describe.each(ALIASES)('%s', (alias, target) => {
  test.each(['', '/', '?source=mail'])('redirects to the page (%s)', async (rest) => {
    const response = await fetch(site.url + alias + rest, { redirect: 'manual' });
    expect(response.status).toBe(301);
    expect(response.headers.get('location')).toBe(target + rest.replace('/', ''));
  });

  test('redirects on other servers, too', () => {
    const html = readPage(alias);
    expect(canonicalOf(html)?.endsWith(target)).toBe(true);
    const refresh = tags(html, 'meta').find((meta) => meta['http-equiv'] === 'refresh');
    expect(refresh?.content).toBe(`0; url=${target}`);
    expect(tags(html, 'a').map(({ href }) => href)).toContain(target);
    expect(contents(html, 'h1')).toEqual(contents(readPage(target), 'h1'));
  });
});

describe.each(['/docs/get-started', ...PLATFORMS.map((platform) => `/docs/${platform}/api-integration`)])(
  '%s',
  (path) => {
    const html = readPage(path);
    const links = tags(html, 'a');

    test('has a sidebar with the current page marked', () => {
      const all = sidebar.groups.flatMap((group) => group.links);
      for (const { to } of all) expect(links.map(({ href }) => href)).toContain(to);
      const current = links.filter((link) => link['aria-current'] === 'page' && link.href === path);
      expect(current.length).toBeGreaterThan(0);
      expect(links.map(({ href }) => href)).toContain('/docs');
    });

    test('lists its headings and the date of its last change', () => {
      const ids = tags(html, 'h2').flatMap(({ id }) => id ?? []);
      expect(ids.length).toBeGreaterThan(2);
      expect(links.map(({ href }) => href)).toEqual(expect.arrayContaining(ids.map((id) => `#${id}`)));
      expect(tags(html, 'time').map(({ datetime, dateTime }) => datetime ?? dateTime)).toEqual([
        expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      ]);
    });

    test('has no edit link without a repository', () => {
      expect(textOf(html)).not.toContain(sidebar.edit);
    });
  },
);

test('previous and next links follow the order of the sidebar', () => {
  // Several entries may link to one page.
  const paths = sidebar.groups.flatMap(({ links }) => links.map(({ to }) => to.replace(/#.*/, '')));
  const order = [...new Set(paths)];
  expect(order.length).toBeGreaterThan(PLATFORMS.length);
  const neighbor = (path: string, rel: string) =>
    tags(readPage(path), 'a').find((link) => link.rel === rel)?.href;
  for (const [position, path] of order.entries()) {
    expect([neighbor(path, 'prev'), neighbor(path, 'next')]).toEqual([
      order[position - 1],
      order[position + 1],
    ]);
  }
});

test('the hub lists each page of the sidebar in its group, and so does its Markdown', () => {
  const lists = contents(readPage('/docs'), 'nav').find((nav) => nav.includes('<h3>')) ?? '';
  const twin = readFileSync(join(PUBLIC, 'docs.md'), 'utf8');
  const listed = lists
    .split('<h3>')
    .slice(1)
    .map((group) => ({
      label: group.slice(0, group.indexOf('</h3>')),
      links: tags(group, 'a').map(({ href }) => href),
    }));
  expect(listed).toEqual(
    sidebar.groups.map(({ label, links }) => ({ label, links: links.map(({ to }) => to) })),
  );
  for (const { label, to } of sidebar.groups.flatMap(({ links }) => links))
    expect(twin).toMatch(new RegExp(`^- \\[${label}\\]\\(\\S+${to}\\)$`, 'm'));
});

test.each(['/openapi.json', '/llms.txt', '/llms-full.txt', '/rss.xml', '/changelog.xml'])(
  'the hub links to %s, which exists',
  async (file) => {
    expect(tags(readPage('/docs'), 'a').map(({ href }) => href)).toContain(file);
    expect((await fetch(site.url + file)).status).toBe(200);
  },
);

test('the hub links to the six parts of the documentation and to help', () => {
  const hrefs = tags(readPage('/docs'), 'a').map(({ href }) => href);
  const six = [
    '/docs/get-started',
    '/docs/api-reference',
    ...PLATFORMS.map((p) => `/docs/${p}/api-integration`),
  ];
  expect(hrefs).toEqual(expect.arrayContaining([...six, '/support', '/support/faq']));
  expect(hrefs.filter((href) => href?.startsWith('mailto:'))).toHaveLength(1);
});
