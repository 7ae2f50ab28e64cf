/** The built pages have the texts of contract and content, and no broken references. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import brand from '@presenza/contract/brand.json';
import openapi from '@presenza/contract/openapi.json';
import { type RunningSite, startSite } from '../../gateway/harness/index.mjs';
import site from '../content/site.json';
import verify from '../content/verify/en.json';
import { contents, decode, tags, textOf } from './html';

const WEB = join(__dirname, '..');
const PUBLIC = join(WEB, 'public');
const PAGES = readdirSync(PUBLIC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.html') && !/^(?:_gatsby|page-data)\b/.test(file),
);
const VERIFY = 'verify/index.html';
/** The namespace of a language, which browsers do not fetch. */
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const read = (file: string) => readFileSync(join(PUBLIC, file), 'utf8');

let server: RunningSite;
beforeAll(async () => {
  server = await startSite();
});
afterAll(() => server.stop());

describe('the home page', () => {
  let html: string;
  beforeAll(async () => {
    const response = await fetch(server.url);
    expect(response.status).toBe(200);
    html = await response.text();
  });

  test('has the brand of the contract in header and title', () => {
    expect(textOf(contents(html, 'header').join())).toContain(brand.name);
    expect(contents(html, 'title')).toEqual([expect.stringMatching(new RegExp(`\\S.*${brand.name}$`))]);
  });

  test('declares its language', () => {
    expect(tags(html, 'html')).toEqual([{ lang: site.language }]);
  });

  test('has one description, one canonical address and one h1', () => {
    const descriptions = tags(html, 'meta').filter(({ name }) => name === 'description');
    expect(descriptions).toEqual([
      { name: 'description', content: expect.stringMatching(/.{50,}/), ...gatsbyHead },
    ]);
    const canonical = tags(html, 'link').filter(({ rel }) => rel === 'canonical');
    expect(canonical).toEqual([
      { rel: 'canonical', href: expect.stringMatching(/^https?:\/\/[^/]+\/$/), ...gatsbyHead },
    ]);
    expect(contents(html, 'h1')).toHaveLength(1);
  });

  test('shows a command for an existing endpoint', () => {
    const [, path] = /curl http:\/\/127\.0\.0\.1:\d+(\/\S+)/.exec(textOf(html)) ?? [];
    expect(Object.keys(openapi.paths)).toContain(path);
  });
});

describe.each(PAGES)('%s', (file) => {
  const html = read(file);

  test('loads nothing from other origins, and links only to the sources of a comparison', () => {
    const canonical = tags(html, 'link').find(({ rel }) => rel === 'canonical')?.href;
    const social = tags(html, 'meta').flatMap(({ property = '', content }) =>
      /^og:(?:url|image)$/.test(property) ? [content] : [],
    );
    const sources = file.startsWith('compare/') ? tags(html, 'a').map(({ href }) => href) : [];
    const allowed = new Set([canonical, ...social, ...sources, SVG_NAMESPACE]);
    const attributes = [...html.matchAll(/="([^"]*)"/g)].map(([, value = '']) => decode(value));
    const outside = attributes.filter((value) => /(?:https?:)?\/\/\w/.test(value) && !allowed.has(value));
    expect(outside).toEqual([]);
    expect(contents(html, 'style').join()).not.toMatch(/https?:|@import/);
  });

  test('has no placeholders in its texts', () => {
    const prose = html.replace(/<(code|pre)[ >][\s\S]*?<\/\1>/g, '');
    expect(textOf(prose)).not.toMatch(/undefined|\[object|\{\w+\}/);
  });
});

test.each(['404.html', VERIFY])('%s has noindex', (file) => {
  const robots = tags(read(file), 'meta').filter(({ name }) => name === 'robots');
  expect(robots.map(({ content }) => content)).toEqual(['noindex']);
});

test('the verification page has no header or footer and sends no referrer', () => {
  const html = read(VERIFY);
  expect(contents(html, 'nav')).toEqual([]);
  expect(tags(html, 'meta')).toContainEqual({ name: 'referrer', content: 'no-referrer', ...gatsbyHead });
  expect(contents(html, 'noscript').join()).toContain(verify.noScript.text);
});

/** The attribute that Gatsby adds to elements of a page's Head. */
const gatsbyHead = { 'data-gatsby-head': 'true' };
