/** The built pages: that they say what the contract and the content say, and lead nowhere that is not there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import brand from '@presenza/contract/brand.json';
import openapi from '@presenza/contract/openapi.json';
import { type RunningSite, startSite } from '../../deploy/local/harness/index.mjs';
import site from '../content/site.json';
import verify from '../content/verify.json';
import { contents, decode, tags, textOf } from './html';

const WEB = join(__dirname, '..');
const PUBLIC = join(WEB, 'public');
const PAGES = readdirSync(PUBLIC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.html') && !/^(?:_gatsby|page-data)\b/.test(file),
);
const VERIFY = 'verify/index.html';
/** The name of a language, which nobody fetches. */
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
    const answer = await fetch(server.url);
    expect(answer.status).toBe(200);
    html = await answer.text();
  });

  test('names the brand of the contract, in the header and in the title', () => {
    expect(textOf(contents(html, 'header').join())).toContain(brand.name);
    expect(contents(html, 'title')).toEqual([expect.stringMatching(new RegExp(`\\S.*${brand.name}$`))]);
  });

  test('says what language it is in', () => {
    expect(tags(html, 'html')).toEqual([{ lang: site.language }]);
  });

  test('has one description, one canonical address and one first heading', () => {
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

  test('shows a command that the API answers', () => {
    const [, prefix, path] = /curl http:\/\/127\.0\.0\.1:\d+(\/v\d+)(\/[a-z]+)/.exec(textOf(html)) ?? [];
    expect(openapi.servers.map(({ url }) => url)).toContain(prefix);
    expect(Object.keys(openapi.paths)).toContain(path);
  });
});

describe.each(PAGES)('%s', (file) => {
  const html = read(file);

  test('loads nothing from elsewhere, and leads to the console alone', () => {
    const canonical = tags(html, 'link').find(({ rel }) => rel === 'canonical')?.href;
    const social = tags(html, 'meta').flatMap(({ property = '', content }) =>
      /^og:(?:url|image)$/.test(property) ? [content] : [],
    );
    const own = new Set([canonical, ...social, SVG_NAMESPACE]);
    const attributes = [...html.matchAll(/="([^"]*)"/g)].map(([, value = '']) => decode(value));
    const outside = attributes.filter(
      (value) => /(?:https?:)?\/\/\w/.test(value) && !own.has(value) && !value.startsWith(site.console.home),
    );
    expect(outside).toEqual([]);
    expect(contents(html, 'style').join()).not.toMatch(/https?:|@import/);
  });

  test('has the words it needs and no placeholder left in them', () => {
    const prose = html.replace(/<(code|pre)[ >][\s\S]*?<\/\1>/g, '');
    expect(textOf(prose)).not.toMatch(/undefined|\[object|\{\w+\}/);
  });
});

test.each(['404.html', VERIFY])('%s asks not to be indexed', (file) => {
  const robots = tags(read(file), 'meta').filter(({ name }) => name === 'robots');
  expect(robots.map(({ content }) => content)).toEqual(['noindex']);
});

test('the verification page stands alone and says nothing of where it was', () => {
  const html = read(VERIFY);
  expect(contents(html, 'nav')).toEqual([]);
  expect(tags(html, 'meta')).toContainEqual({ name: 'referrer', content: 'no-referrer', ...gatsbyHead });
  expect(contents(html, 'noscript').join()).toContain(verify.noScript.text);
});

/** What Gatsby adds to everything that a page's Head renders. */
const gatsbyHead = { 'data-gatsby-head': 'true' };
