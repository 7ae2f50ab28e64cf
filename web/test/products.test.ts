/** The built product pages: their parts, and numbers from the contract. */
import { readFileSync } from 'node:fs';
import limits from '@presenza/contract/limits.json';
import openapi from '@presenza/contract/openapi.json';
import contractProducts from '@presenza/contract/products.json';
import claims from '../content/claims.json';
import demos from '../content/demos.json';
import texts from '../content/product-page.json';
import detection from '../content/products/face-detection.json';
import matching from '../content/products/face-matching.json';
import moderation from '../content/products/image-moderation.json';
import liveness from '../content/products/liveness-verification.json';
import site from '../content/site.json';
import { fill } from './figures';
import { decode, tags, textOf } from './html';
import { readPage } from './quality/built-site';

const PAGES = [liveness, matching, detection, moderation];
const inFormats = new Intl.ListFormat('en-GB').format(limits.image.formats.map(({ label }) => label));
const inOneSpace = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The HTML of the section with that id. */
const sectionOf = (html: string, id: string) => {
  const start = html.indexOf(`<section id="${id}"`);
  expect(start).toBeGreaterThan(0);
  return html.slice(start, html.indexOf('</section>', start));
};

/** Terms with their texts. */
const definitionsOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, term = '', text = '']) => [
      decode(term),
      decode(text.replace(/<[^>]*>/g, '')),
    ]),
  );

describe.each(PAGES)('$path', (page) => {
  const html = readPage(page.path);
  const text = textOf(html);
  const section = (id: string) => sectionOf(html, id);

  test('has all parts in order under a single h1', () => {
    const ids = tags(html, 'section').flatMap(({ id }) => id ?? []);
    expect(ids).toEqual([
      'how-it-works',
      ...('categories' in page ? ['categories'] : []),
      'capabilities',
      'boundaries',
      'exchange',
      'specifications',
      'perfect-for',
      'faq',
    ]);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toContain(`<h1>${page.hero.heading}</h1>`);
    expect(text).toContain(fill([page.hero.text])[0]);
    for (const heading of Object.values(texts.headings)) expect(html).toContain(`<h2>${heading}</h2>`);
  });

  test('has its demo before the explanations', () => {
    const { label } = demos[page.product as keyof Omit<typeof demos, 'note' | 'photoNote'>];
    const before = html.slice(html.indexOf('<h1>'), html.indexOf('<section id="how-it-works"'));
    expect(tags(before, 'figure').map((figure) => figure['aria-label'])).toEqual([label]);
  });

  test('links to the catalog, the other products and the documentation, and marks itself', () => {
    const start = html.indexOf(texts.back.label);
    const side = html.slice(html.lastIndexOf('<a', start), html.indexOf('</nav>', start));
    const links = tags(side, 'a');
    expect(links.map(({ href }) => href)).toEqual([
      '/products',
      '/products/liveness-verification',
      '/products/face-matching',
      '/products/face-detection',
      '/products/image-moderation',
      '/docs',
      '/docs/get-started',
    ]);
    const current = links.filter((link) => link['aria-current'] === 'page');
    expect(current.map(({ href }) => href)).toEqual([page.path]);
  });

  test('shows three steps with different drawings', () => {
    const drawings = [...section('how-it-works').matchAll(/<svg[\s\S]*?<\/svg>/g)].map(([svg]) => svg);
    expect(drawings).toHaveLength(3);
    expect(new Set(drawings).size).toBe(3);
    for (const { heading } of page.howItWorks) expect(section('how-it-works')).toContain(heading);
  });

  test('shows its claims with links to their evidence', () => {
    for (const id of page.claims)
      expect(tags(html, 'a')).toContainEqual(expect.objectContaining({ href: `${claims.path}#${id}` }));
  });

  test('contains its FAQ without JavaScript', () => {
    const faq = section('faq');
    expect(tags(faq, 'details')).toHaveLength(page.faq.length);
    const filled = fill(page.faq.flatMap(({ question, text }) => [question, text]));
    for (const line of filled) expect(textOf(faq)).toContain(line);
  });

  test('shows the contract’s example messages', () => {
    const exchange = section('exchange');
    const blocks = [...exchange.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)].map(([, code = '']) => code);
    expect(blocks).toHaveLength(page.exchange.messages.length);
    blocks.forEach((block, i) => {
      const file = require.resolve(`@presenza/contract/examples/${page.exchange.messages[i]?.example}.json`);
      const example = readFileSync(file, 'utf8').replace(/(base64,.{8})[^"]+/g, '$1…');
      expect(JSON.parse(decode(block.replace(/<[^>]+>/g, '')))).toEqual(JSON.parse(example));
    });
  });

  test('links to its operation in the reference', () => {
    const [method = '', path = ''] = page.exchange.operation.split(' ');
    expect(openapi.paths).toHaveProperty([path, method.toLowerCase()]);
    expect(section('exchange')).toContain(page.exchange.operation);
    expect(definitionsOf(section('specifications')).Endpoint).toContain(page.exchange.operation);
    const hrefs = tags(html, 'a').map(({ href }) => href);
    expect(hrefs.filter((href) => href === `/docs/api-reference${path}`)).toHaveLength(2);
  });

  test('has the specifications of the contract', () => {
    const specifications = definitionsOf(section('specifications'));
    const { maxBytes, formats, advisedMinWidth, recommendedMinWidth } = limits.image;
    const all = Object.values(specifications).join('\n');
    expect(all).toContain(`At least ${advisedMinWidth} x`);
    expect(all).toContain(`${recommendedMinWidth} x`);
    expect(all).toMatch(new RegExp(`[Aa]t most ${maxBytes / 1024 ** 2} MB`));
    for (const { label } of formats) expect(all).toContain(label);
    const product = contractProducts.find(({ id }) => id === page.product);
    expect(specifications[texts.counted]).toBe(product?.unit);
    expect(specifications['Data kept']).toBeDefined();
  });

  test('ends with sign-up for the free plan and the documentation', () => {
    const closing = html.slice(html.indexOf(`<h2>${page.closing.heading}</h2>`));
    const signUp = tags(closing, 'a').find(({ href = '' }) => href.startsWith(site.console.signUp));
    expect(new URL(signUp?.href ?? '', 'https://site.example').searchParams.get('plan')).toBe('free');
    expect(inOneSpace(textOf(closing))).toMatch(/Start Free Trial View Documentation/);
    expect(tags(closing, 'a')).toContainEqual(expect.objectContaining({ href: '/docs' }));
  });

  test('has no unfilled figures', () => {
    expect(text).not.toMatch(/\{\w+\}|`/);
    expect(tags(html, 'meta').find(({ name }) => name === 'description')?.content).not.toMatch(/[{}]/);
  });
});

test('moderation has four categories and ten questions, and checks frames of a GIF', () => {
  const html = readPage(moderation.path);
  const categories = sectionOf(html, 'categories');
  for (const name of ['Explicit Content', 'Violence & Gore', 'Suggestive Content', 'Custom Categories'])
    expect(textOf(categories)).toContain(name);
  expect(categories.match(/<svg/g)).toHaveLength(4);
  expect(tags(sectionOf(html, 'faq'), 'details')).toHaveLength(10);
  const { maxPerAccount, minExamples, maxExamples } = limits.customCategories;
  const specifications = definitionsOf(sectionOf(html, 'specifications'));
  expect(specifications['Custom categories']).toContain(
    `Up to ${maxPerAccount} for an account, from ${minExamples} to ${maxExamples} examples`,
  );
  expect(specifications.Formats).toBe(
    `${inFormats}. For an animated GIF, up to ${limits.image.animation.sampledFrames} frames`,
  );
});

test.each([liveness, matching, detection])('$path has five to seven questions', ({ faq }) => {
  expect(faq.length).toBeGreaterThanOrEqual(5);
  expect(faq.length).toBeLessThanOrEqual(7);
});

test('thresholds are those of the contract in both scales', () => {
  const { minimum, maximum, moderationConfidenceDefault, similarityDefault } = limits.thresholds;
  const scale = `${minimum} to ${maximum}, which is ${minimum * 100} to ${maximum * 100} in percent; `;
  const specificationsOf = (path: string) => definitionsOf(sectionOf(readPage(path), 'specifications'));
  expect(specificationsOf(matching.path)['Similarity threshold']).toBe(
    `${scale}${similarityDefault} by default`,
  );
  expect(specificationsOf(moderation.path)['Confidence threshold']).toBe(
    `${scale}${moderationConfidenceDefault} by default`,
  );
});

test('matching accepts HEIC photos', () => {
  const html = readPage(matching.path);
  expect(definitionsOf(sectionOf(html, 'specifications')).Formats).toBe(inFormats);
  expect(inFormats).toContain('HEIC');
  expect(textOf(sectionOf(html, 'faq'))).toMatch(/HEIC photos from a phone\? Yes, as the phone saved them/);
});

test('liveness states the limits of browsers and the data retention', () => {
  const html = readPage(liveness.path);
  expect(textOf(sectionOf(html, 'boundaries'))).toMatch(/A browser cannot attest its camera/);
  const hours = limits.liveness.dataRetentionSeconds / 3600;
  expect(definitionsOf(sectionOf(html, 'specifications'))['Data kept']).toContain(`${hours} hours`);
});

test('figures in texts follow the contract, and unknown figures fail the build', () => {
  const changed = { ...limits, faces: { ...limits.faces, maxPerImage: 7 } };
  expect(fill(['Up to {maxFaces} faces'], { limits: changed })).toEqual(['Up to 7 faces']);
  expect(() => fill(['{noSuchFigure}'])).toThrow('noSuchFigure');
});
