/** Every route of the specification exists with its metadata and a single address. */
import brand from '@presenza/contract/brand.json';
import { type RunningSite, startSite } from '../../../gateway/harness/index.mjs';
import { contents, decode, tags, textOf } from '../html';
import { addresses, readPage } from './built-site';

const PRODUCTS = ['liveness-verification', 'face-matching', 'face-detection', 'image-moderation'];
const PLATFORMS = ['web', 'flutter', 'ios', 'android'];

const ROUTES = [
  '/',
  '/pricing',
  '/products',
  ...PRODUCTS.map((name) => `/products/${name}`),
  '/docs',
  '/docs/get-started',
  ...PLATFORMS.map((name) => `/docs/${name}/api-integration`),
  '/docs/api-reference',
  '/docs/api-reference/liveness',
  '/docs/migration',
  '/docs/operations/runbooks',
  '/docs/operations/evaluation',
  '/docs/operations/liveness-evaluation',
  '/docs/models',
  '/changelog',
  '/blog',
  '/blog/usage-and-limits-best-practice',
  '/blog/flutterflow-integration',
  '/terms-of-service',
  '/privacy-policy',
  '/cookie-policy',
  '/support',
  '/support/faq',
  '/company/about',
  '/benchmarks',
  '/claims',
  '/compare',
  '/compare/cloud-services',
  '/compare/self-hosted',
];

const ALIASES: readonly [string, string][] = [
  ['/docs/getting-started', '/docs/get-started'],
  ...PLATFORMS.map((name): [string, string] => [`/docs/${name}`, `/docs/${name}/api-integration`]),
];

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

const meta = (html: string, name: string) =>
  tags(html, 'meta')
    .filter((tag) => tag.name === name || tag.property === name)
    .map(({ content }) => decode(content ?? ''));

describe.each(ROUTES)('%s', (route) => {
  test('responds with a page and its metadata', async () => {
    const response = await fetch(`${site.url}${route}`, { redirect: 'error' });
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(contents(html, 'title')).toEqual([expect.stringMatching(new RegExp(`\\S.*${brand.name}$`))]);
    expect(contents(html, 'h1').map(textOf)).toEqual([expect.stringMatching(/\S{2}/)]);
    expect(meta(html, 'description')).toEqual([expect.stringMatching(/^.{50,170}$/)]);
    expect(meta(html, 'keywords')).toEqual([expect.stringMatching(/\w.*,/)]);
    expect(meta(html, 'og:title')).toEqual([expect.stringContaining(brand.name)]);
    expect(meta(html, 'og:image')).toEqual([expect.stringMatching(/^https?:\/\/.*\.png$/)]);
    const canonical = tags(html, 'link').filter(({ rel }) => rel === 'canonical');
    expect(canonical.map(({ href }) => new URL(href ?? '').pathname)).toEqual([route]);
  });
});

test.each(ALIASES)('%s redirects to %s', async (alias, target) => {
  const response = await fetch(`${site.url}${alias}`);
  expect(response.status).toBe(200);
  expect(new URL(response.url).pathname).toBe(target);
});

test('no two pages share a title or a description', () => {
  for (const partOf of [
    (html: string) => contents(html, 'title')[0],
    (html: string) => meta(html, 'description')[0],
  ]) {
    const all = addresses.map((address) => partOf(readPage(address)));
    expect(all).toHaveLength(new Set(all).size);
  }
});

test('an unknown address responds with 404 and a page', async () => {
  const response = await fetch(`${site.url}/nothing/here`);
  expect(response.status).toBe(404);
  expect(contents(await response.text(), 'h1')).toHaveLength(1);
});
