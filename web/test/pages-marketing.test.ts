/** The built marketing pages: their parts, and numbers from contract and measurements. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import errors from '@presenza/contract/errors.json';
import openapi from '@presenza/contract/openapi.json';
import plans from '@presenza/contract/plans.json';
import contractProducts from '@presenza/contract/products.json';
import about from '../content/about.json';
import catalogue from '../content/catalogue.json';
import playground from '../content/console/playground.json';
import home from '../content/home.json';
import pricing from '../content/pricing.json';
import site from '../content/site.json';
import type { Figure } from '../gatsby/measured-figures.mjs';
import screens from '../screens.json';
import { monthlyCost } from '../src/components/pricing/cost';
import { formatCount, formatMoney } from '../src/components/pricing/money';
import { contents, decode, tags, textOf } from './html';
import { PUBLIC, readPage } from './quality/built-site';

const RESULTS = join(__dirname, '..', '..', 'benchmarks', 'results');

/** The products of the contract with the names of their pages. */
const PAGES = join(__dirname, '..', 'content', 'products');
const productPages: { product: string; name: string }[] = readdirSync(PAGES).map((file) =>
  JSON.parse(readFileSync(join(PAGES, file), 'utf8')),
);
const products = contractProducts.map((product) => ({
  ...product,
  label: String(productPages.find((page) => page.product === product.id)?.name),
}));

/** The body without header and footer. */
const mainOf = (html: string) => contents(html, 'main').join();
const inOneSpace = (text: string) => text.replace(/\s+/g, ' ').trim();
const cellsOf = (row: string) =>
  [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => inOneSpace(textOf(cell)));

/** The part of the page from the tag with these attributes to the next end tag of its name. */
function elementOf(html: string, name: string, attributes: string) {
  const start = html.search(new RegExp(`<${name}[^>]*${attributes}`));
  if (start < 0) throw new Error(`The page has no ${name} with ${attributes}.`);
  return html.slice(start, html.indexOf(`</${name}>`, start));
}

interface Result {
  name: string;
  variant?: string;
  commit: string;
  date: string;
  question: string;
  figures: Figure[];
}

const results: Result[] = readdirSync(RESULTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(RESULTS, file), 'utf8')));

/** Four significant digits, with an exponent below a thousandth. */
function inWords(value: number, unit: string) {
  const digits =
    value !== 0 && Math.abs(value) < 1e-3
      ? value.toExponential(1)
      : Number(value.toPrecision(4)).toLocaleString('en-US', { maximumFractionDigits: 9 });
  return `${digits}${unit === '%' || unit === 'x' ? '' : ' '}${unit}`.trim();
}

/** The sample size and the interval. */
function sampleInWords({ n, items, hits, interval, range }: NonNullable<Figure['sample']>, unit: string) {
  const between = ([low, high]: [number, number]) => `${inWords(low, '')} to ${inWords(high, unit)}`;
  return [
    `${hits === undefined ? '' : `${hits.toLocaleString('en-US')} of `}${n.toLocaleString('en-US')} ${items}`,
    ...(interval ? [`95% interval ${between(interval)}`] : []),
    ...(range ? [between(range)] : []),
  ];
}

describe('/', () => {
  const html = mainOf(readPage(''));
  const text = textOf(html);

  test('starts with its only h1, sign-up for the Free plan and the documentation', () => {
    expect(contents(html, 'h1').map((heading) => inOneSpace(textOf(heading)))).toEqual([
      home.hero.heading.join(' '),
    ]);
    const [start, documentation] = tags(html, 'a');
    const address = new URL(start?.href ?? '', 'https://site.example');
    expect(address.pathname).toBe(site.console.signUp);
    expect(address.searchParams.get('plan')).toBe('free');
    expect(documentation?.href).toBe('/docs');
    expect(text).toContain(home.hero.start);
    expect(text).toContain(home.hero.documentation.label);
  });

  test('offers to run the service, and the plans of this installation', () => {
    const links = tags(html, 'a').map(({ href }) => href);
    for (const { heading, link } of home.hero.ways) {
      expect(text).toContain(heading);
      expect(links).toContain(link.to);
    }
    expect(text).toContain('npm start');
  });

  test('shows measured figures, and leaves targets and statuses to the page of claims', () => {
    for (const { label } of home.measured.figures) expect(text).toContain(label);
    expect(html).not.toMatch(/data-(?:target|status)/);
    const links = tags(html, 'a').flatMap(({ href = '' }) => (href.startsWith('/claims') ? [href] : []));
    expect(links).toEqual(['/claims']);
  });

  test.each(home.features)('shows $productId with its operation and a link to its page', (feature) => {
    const [, section = ''] = html.slice(html.indexOf(`id="${feature.anchor}"`) - 9).split('<section id=');
    const product = products.find(({ id }) => id === feature.productId);
    const shown = inOneSpace(textOf(section));
    expect(shown).toContain(feature.heading);
    expect(tags(section, 'a')).toContainEqual(expect.objectContaining({ href: feature.link.to }));
    const figure = elementOf(section, 'figcaption', '');
    const [, method, path = ''] = /(POST) (\/\w+)/.exec(textOf(figure)) ?? [];
    expect(textOf(figure)).toContain(product?.label);
    const operations = openapi.paths[path as keyof typeof openapi.paths] as Record<
      string,
      { operationId: string }
    >;
    expect(product?.operationIds).toContain(operations[String(method).toLowerCase()]?.operationId);
  });

  /** The response that a section shows. */
  const responseIn = (section: string) => {
    const [, code = ''] = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(section) ?? [];
    return JSON.parse(decode(code.replace(/<[^>]+>/g, '')));
  };

  test('draws a face where the response beside the photo says it is', () => {
    const detection = elementOf(html, 'section', 'id="detection"');
    const [{ boundingBox }] = responseIn(detection).faces;
    const [photo] = tags(detection, 'img');
    const [box] = tags(detection, 'rect');
    const { width, height } = photo as { width: string; height: string };
    expect(Number(box?.x) / Number(width)).toBeCloseTo(boundingBox.left, 2);
    expect(Number(box?.y) / Number(height)).toBeCloseTo(boundingBox.top, 2);
    expect(Number(box?.width) / Number(width)).toBeCloseTo(boundingBox.width, 2);
    expect(Number(box?.height) / Number(height)).toBeCloseTo(boundingBox.height, 2);
  });

  test('shows the same values for its photo as the screenshot of the playground', () => {
    const values = new Map(
      [...html.matchAll(/<dt>(\w+)<\/dt><dd>([^<]*)<\/dd>/g)].map(([, field, value]) => [field, value]),
    );
    const { detect } = playground.texts;
    const labels = {
      ...detect,
      yaw: detect.turn,
      pitch: detect.nod,
      roll: detect.tilt,
      landmarks: detect.landmarkCount,
    };
    const shown = screens.playground as Record<string, string>;
    for (const field of [
      'confidence',
      'brightness',
      'sharpness',
      'yaw',
      'pitch',
      'roll',
      'ageRange',
      'landmarks',
    ] as const)
      expect([field, shown[labels[field]]]).toEqual([field, values.get(field)]);
  });

  test('points the dial at the similarity of the response beside it', () => {
    const matching = elementOf(html, 'section', 'id="matching"');
    const [{ similarity }] = responseIn(matching).matchedFaces;
    expect(matching).toMatch(new RegExp(`<text[^>]*>${similarity}</text>`));
  });

  test('covers an image because of the response beside it', () => {
    const section = elementOf(html, 'section', 'id="moderation"');
    const shown = inOneSpace(
      textOf(html.slice(html.indexOf(section), html.indexOf('</figure>', html.indexOf(section)))),
    );
    expect(shown).toContain('Sensitive Content');
    expect(shown).toContain('Show Content');
    const { detectedElements } = responseIn(html.slice(html.indexOf(section)));
    const [surest] = detectedElements;
    expect(shown).toContain(`${surest.type}`);
    expect(shown).toContain(`confidence ${surest.confidence.toFixed(2)}`);
  });

  test('has three reasons, the quick start and a call to action', () => {
    expect(contents(html, 'h3').map(decode)).toEqual(home.why.items.map(({ heading }) => heading));
    expect(text).toContain(home.quickStart.heading);
    const [free] = plans;
    expect(text).toContain(`${free?.quota.productGroups.livenessDetection} liveness verifications`);
  });
});

describe('/pricing', () => {
  const html = mainOf(readPage('pricing'));
  const text = textOf(html);
  const cardOf = (tier: string) => elementOf(html, 'article', `data-plan="${tier}"`);

  test('has heading and note of the specification', () => {
    expect(contents(html, 'h1').map(decode)).toEqual(['Simple, transparent pricing']);
    expect(text).toContain('No Credit Card Required');
    expect(tags(html, 'article').map((article) => article['data-plan'])).toEqual([
      // Small screens show this card; test/pricing.slow.test.ts checks that each screen shows one of the two.
      'free',
      'basic',
      'growth',
      'business',
      'free',
      'enterprise',
    ]);
    expect(pricing.trust.badges).toHaveLength(4);
    for (const { label, to } of pricing.trust.badges) {
      expect(text).toContain(label);
      expect(tags(html, 'a')).toContainEqual(expect.objectContaining({ href: to }));
    }
  });

  test('queries the contract’s plans through GraphQL', () => {
    const { result } = JSON.parse(readFileSync(join(PUBLIC, 'page-data/pricing/page-data.json'), 'utf8'));
    expect(result.data.allContractPlan.nodes).toMatchObject(
      plans.map(({ tier, displayName, isFree, limits: { burst, concurrency } }) => ({
        tier,
        displayName,
        isFree,
        limits: { burst, concurrency },
      })),
    );
  });

  test.each(plans)('shows the contract’s price, quotas and overage of $tier', (plan) => {
    const card = cardOf(plan.tier);
    const shown = inOneSpace(textOf(card));
    const { pricing: money, quota, display } = plan;
    const price = money.isCustom ? display.price : formatMoney(money.basePrice, money.currency);
    expect(shown).toContain(`${price} ${display.priceDetail} ${display.buttonText}`);
    const rows = [...card.matchAll(/<tr>[\s\S]*?<\/tr>/g)].map(([row]) => cellsOf(row)).slice(1);
    const rate = (amount?: number) => (amount === undefined ? '–' : formatMoney(amount, money.currency));
    expect(rows).toEqual([
      [
        pricing.labels.liveness,
        formatCount(quota.productGroups.livenessDetection),
        rate(money.overage?.livenessDetection),
      ],
      [
        pricing.labels.analyses,
        formatCount(quota.productGroups.imageAnalysis),
        rate(money.overage?.imageAnalysis),
      ],
    ]);
    for (const feature of display.features.slice(2)) expect(shown).toContain(feature);
  });

  test('recommends only the Growth plan', () => {
    const recommended = plans.filter(({ tier }) => textOf(cardOf(tier)).includes(pricing.labels.recommended));
    expect(recommended.map(({ tier }) => tier)).toEqual(['growth']);
  });

  test('compares all limits of all plans', () => {
    const table = elementOf(html, 'section', 'id="comparison"');
    const rows = [...table.matchAll(/<tr[^>]*>[\s\S]*?<\/tr>/g)].map(([row]) => cellsOf(row));
    const row = (heading: string) => rows.find(([first]) => first === heading)?.slice(1);
    expect(rows[0]?.slice(1)).toEqual(plans.map(({ displayName }) => displayName));
    expect(row(pricing.comparison.concurrency)).toEqual(
      plans.map(({ limits }) => formatCount(limits.concurrency)),
    );
    expect(row(pricing.comparison.burst)).toEqual(
      plans.map(({ limits: { burst } }) => `${formatCount(burst.limit)} in ${burst.windowSeconds} s`),
    );
    expect(row(pricing.comparison.branding)).toEqual(
      plans.map((plan) => (plan.allowBranding ? 'Yes' : 'No')),
    );
    expect(row(pricing.comparison.syncWebhooks)).toEqual(
      plans.map((plan) => (plan.allowSyncWebhook ? 'Yes' : 'No')),
    );
  });

  test('shows the example of the calculator without JavaScript', () => {
    const table = elementOf(html, 'section', 'id="calculator"');
    const rows = [...table.matchAll(/<tr[^>]*>[\s\S]*?<\/tr>/g)].map(([row]) => cellsOf(row)).slice(1);
    const usage = {
      livenessDetection: pricing.calculator.exampleLiveness,
      imageAnalysis: pricing.calculator.exampleAnalyses,
    };
    const totals = plans.map((plan) => {
      const cost = monthlyCost(plan, usage);
      if (cost.kind === 'priced') return formatMoney(cost.total, plan.pricing.currency);
      return cost.kind === 'tooSmall' ? pricing.calculator.tooSmall : pricing.calculator.byAgreement;
    });
    expect(rows.map((cells) => cells.at(-1))).toEqual(totals);
  });

  test('explains units and overage with the texts of the contract', () => {
    const faq = inOneSpace(textOf(elementOf(html, 'section', 'id="faq"')));
    for (const { label, unit } of products) expect(faq).toContain(`${label} ${unit}`);
    expect(faq).toContain(`QUOTA_EXCEEDED with status ${errors.QUOTA_EXCEEDED.status}`);
  });
});

describe('/products', () => {
  const html = mainOf(readPage('products'));

  test('has a card with a link for each product of the contract', () => {
    const cards = contents(html, 'li').filter((card) => card.includes('<h2>'));
    expect(cards).toHaveLength(products.length);
    for (const { productId, to } of catalogue.cards) {
      const product = products.find(({ id }) => id === productId);
      const card =
        cards.find((candidate) =>
          contents(candidate, 'h2')
            .map(decode)
            .includes(product?.label ?? ''),
        ) ?? '';
      expect(inOneSpace(textOf(card))).toContain(product?.unit);
      expect(tags(card, 'a')).toEqual([expect.objectContaining({ href: to })]);
      expect(textOf(card)).toContain('Learn More');
      expect(tags(card, 'img').length).toBeGreaterThan(0);
    }
  });

  test('ends with sign-up', () => {
    expect(textOf(html)).toContain('Get Started for Free');
  });
});

describe('/company/about', () => {
  const html = mainOf(readPage('company/about'));

  test('has mission, vision and values', () => {
    const headings = [...contents(html, 'h2'), ...contents(html, 'h3')].map(decode);
    expect(headings).toEqual(
      expect.arrayContaining([
        'Mission',
        'Vision',
        'Security First',
        'Developer Experience',
        'Reliability & Performance',
        'Privacy Protection',
        about.what.heading,
      ]),
    );
  });

  test('uses the product names of their pages', () => {
    const names = contents(html, 'dt').map(decode);
    for (const { label } of products) expect(names).toContain(label);
  });

  test('links to the first steps and to sales', () => {
    const links = tags(html, 'a').map(({ href }) => href);
    expect(links).toEqual(['/docs/get-started', '/support']);
  });
});

test('/compare leads to both comparisons and to the migration', () => {
  const links = tags(mainOf(readPage('compare')), 'a').map(({ href }) => href);
  const wanted = ['/compare/cloud-services', '/compare/self-hosted', '/docs/migration'];
  expect(links).toEqual(expect.arrayContaining(wanted));
});

test.each(['cloud-services', 'self-hosted'])(
  '/compare/%s lists the sites of its facts as sources',
  (name) => {
    const [facts = '', sources = ''] = mainOf(readPage(`compare/${name}`)).split('id="sources"');
    const sitesOf = (part: string) =>
      tags(part, 'a').flatMap(({ href = '' }) => (href.startsWith('https:') ? new URL(href).host : []));
    expect(new Set(sitesOf(facts)).size).toBeGreaterThan(2);
    expect(sitesOf(sources)).toEqual(expect.arrayContaining(sitesOf(facts)));
    const rows = contents(contents(sources, 'tbody').join(), 'tr').map(cellsOf);
    for (const [, date] of rows) expect(date).toMatch(/^(?:None|Without a year|Version|Commit|.*\d{4}$)/);
  },
);

test.each(['cloud-services', 'self-hosted'])(
  '/compare/%s has whole headings and entries of contents',
  (name) => {
    const html = mainOf(readPage(`compare/${name}`));
    const headings = contents(html, 'h2').map((heading) => inOneSpace(textOf(heading)));
    const [entries = ''] = contents(html, 'nav');
    expect(contents(entries, 'a').map(decode)).toEqual(headings);
  },
);

test('/products and the FAQ lead on to the comparison', () => {
  for (const page of ['products', 'support/faq'])
    expect(tags(mainOf(readPage(page)), 'a').map(({ href }) => href)).toContain('/compare');
});

describe('/benchmarks', () => {
  const html = mainOf(readPage('benchmarks'));
  const page = inOneSpace(textOf(html));

  test('links to the claims', () => {
    expect(tags(html, 'a').map(({ href }) => href)).toContain('/claims');
  });

  test.each(results)('lists every figure of $name $variant, reached or not', (result) => {
    const { name, variant, question, commit, figures } = result;
    const title = variant ? `${name}-${variant}` : name;
    const section = html.slice(html.indexOf(`id="${title.replace('/', '-')}"`));
    const part = section.slice(0, section.indexOf('<h3', section.indexOf('</h3>')));
    const shown = inOneSpace(textOf(part));
    expect(shown).toContain(question);
    expect(shown).toContain(commit);
    const rows = [...part.matchAll(/<tr[^>]*>[\s\S]*?<\/tr>/g)].map(([row]) => cellsOf(row));
    for (const { what, value, unit, target, better, sample } of figures) {
      const reached = better === 'higher' ? value >= target : value <= target;
      const sign = better === 'higher' ? '≥' : '≤';
      expect(rows).toContainEqual([
        what,
        [inWords(value, unit), ...(sample ? sampleInWords(sample, unit) : [])].join(' '),
        `${sign} ${inWords(target, unit)}`,
        reached ? 'Yes' : 'No',
      ]);
    }
  });

  test('counts the targets that were reached', () => {
    const figures = results.flatMap((result) => result.figures);
    const reached = figures.filter(({ value, target, better }) =>
      better === 'higher' ? value >= target : value <= target,
    );
    expect(page).toContain(`${reached.length} of ${figures.length} targets reached`);
  });

  test('lists commands whose scripts exist', () => {
    const commands = [...html.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)].map(([, code = '']) => textOf(code));
    const scripts = ['package.json', 'benchmarks/package.json'].flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(join(RESULTS, '../..', file), 'utf8')).scripts),
    );
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands)
      expect(scripts).toContain(/npm run (\w+)/.exec(inOneSpace(command))?.[1] ?? command);
  });
});
