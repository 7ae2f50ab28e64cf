/**
 * Addresses of the time when the reference was one page lead to the same heading on its page.
 *
 * Slow: Chromium opens the reference once for each of its pages.
 */
import type { Browser } from 'playwright-core';
import { type RunningSite, startSite } from '../../../gateway/harness/index.mjs';
import { launch } from '../chromium';
import { decode } from '../html';
import { readPage } from '../quality/built-site';
import { FORMER_ANCHORS } from './former-anchors';

const PATH = '/docs/api-reference';
/** Tabs that share the visits. */
const TABS = 4;

/** The links of the first page by anchor. Its own sections have none. */
const links = new Map(
  [...readPage(PATH).matchAll(/<a [^>]*?id="([^"]+)"[^>]*?href="([^"]+)"[^>]*>([^<]+)</g)].map(
    ([, id = '', href = '', title = '']) => [id, { href, title: decode(title) }],
  ),
);
const SECTIONS = 'overview authentication base-url liveness webhooks detect compare moderate errors'.split(
  ' ',
);
/** The last anchor of each page, which is the furthest from its top, and the sections of the first page. */
const visited = [
  ...SECTIONS,
  ...new Map(
    FORMER_ANCHORS.filter((id) => links.has(id)).map((id) => [links.get(id)?.href.split('#')[0], id]),
  ).values(),
];

let browser: Browser;
let site: RunningSite;
beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), startSite()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

test('every anchor is a section of the first page or the link to its place', () => {
  expect(FORMER_ANCHORS.filter((id) => !links.has(id))).toEqual(SECTIONS);
});

test('the place of every anchor has its heading', () => {
  const pages = new Map<string, string>();
  const missing = [...links.values()].filter(({ href, title }) => {
    const [path = '', id] = href.split('#');
    const page = pages.get(path) ?? decode(readPage(path));
    pages.set(path, page);
    const heading = id ? page.indexOf(`id="${id}"`) : page.indexOf('<h1');
    return heading < 0 || !page.slice(heading, heading + 2_000).includes(title);
  });
  expect(missing).toEqual([]);
});

test('the reader sees the heading of an anchor of each page', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const visit = async (first: number) => {
    const tab = await context.newPage();
    for (let position = first; position < visited.length; position += TABS) {
      const id = visited[position] as string;
      const { href, title } = links.get(id) ?? { href: `${PATH}#${id}`, title: '' };
      await tab.goto('about:blank');
      await tab.goto(`${site.url}${PATH}#${id}`);
      await tab.waitForURL(site.url + href);
      await tab.waitForFunction(isInView, { id: href.split('#')[1], title });
    }
  };
  await Promise.all(Array.from({ length: TABS }, (_, first) => visit(first)));
  await context.close();
});

/** Runs in the page. A page's own heading has no anchor. */
function isInView({ id, title }: { id: string | undefined; title: string }): boolean {
  const place = id ? document.getElementById(id) : document.querySelector('h1');
  const { top, height } = place?.getBoundingClientRect() ?? { top: -1, height: 0 };
  return top >= 0 && top < innerHeight && height > 0 && (place?.textContent ?? '').includes(title);
}
