/**
 * Claims and their evidence: every number on the site has evidence, and all evidence exists.
 *
 * Slow: it opens the page of claims on several screens and follows its evidence.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import content from '../content/claims.json';
import { constants } from '../content/constants.json';
import { callInNode } from './call-in-node';
import { launch } from './chromium';
import { tags, textOf } from './html';
import { contentStrings, textsOf, unproven } from './numbers';
import { addresses, readPage } from './quality/built-site';

const ROOT = join(__dirname, '..', '..');
const CONTENT = join(ROOT, 'web', 'content');
const RESULTS = join(ROOT, 'benchmarks', 'results');
const claims: Claim[] = content.groups.flatMap((group) => group.claims as Claim[]);

interface Claim {
  claimId: string;
  label: string;
  figure?: string;
  headline?: string;
  line: string;
  state?: string;
  target?: { text: string; value?: number; unit?: string; better?: string; figure?: string };
}

/** The texts of pages without claims and constants, which have their own tests, without samples, and in English alone. */
const WRITTEN = readdirSync(CONTENT, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    file.endsWith('.json') &&
    !/^(?:claims\.json|constants\.json|samples\/)/.test(file) &&
    (JSON.parse(readFileSync(join(CONTENT, file), 'utf8')).locale ?? 'en') === 'en',
);

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launch();
  page = await browser.newPage();
});
afterAll(() => browser.close());

/** Inserts a paragraph at the end of the page's main part. */
const withClaim = (html: string, claim: string) => html.replace('</main>', `<p>${claim}</p></main>`);

describe('numbers', () => {
  test.each(addresses)('%s has no number without evidence', async (address) => {
    const html = readPage(address);
    expect(unproven(await textsOf(page, html))).toEqual([]);
    const claim = 'We stop 99.7 % of all attacks.';
    expect(unproven(await textsOf(page, withClaim(html, claim)))).toEqual([`99.7 in: ${claim}`]);
  });

  test.each([
    ['99.99% uptime', '99.99'],
    ['Responds in under 200 ms.', '200'],
    ['Three times faster: 3x', 'Three times', '3'],
    ['Our customers save 50 percent.', '50'],
    ['Trusted by 500 customers, with 500 more to come.', '500', '500'],
    ['It carries 1,000 images/s on one core.', '1,000'],
    ['Ready in two seconds.', 'two seconds'],
    ['APCER 0 %, BPCER 3.7 %', '0', '3.7'],
    ['$9 a month', '9'],
    ['95 % of users pass.', '95'],
    ['Up to <strong>99</strong> faces', '99'],
    ['Support replies within 12 hours.', '12'],
  ])('“%s” is noticed', async (claim, ...numbers) => {
    const findings = unproven(await textsOf(page, withClaim(readPage('/'), claim)));
    expect(findings.map((finding) => finding.split(' in: ')[0])).toEqual(numbers);
  });

  // Includes numbers that only scripts show, and those in parts rendered from data.
  test.each(WRITTEN)('%s has no number without evidence', (file) => {
    expect(unproven(contentStrings(file))).toEqual([]);
  });

  test('claims take their figures from measurements', () => {
    for (const { claimId, headline, figure, line, state } of claims) {
      expect([claimId, headline?.replace(/\{\w+\}/g, '') ?? '']).toEqual([
        claimId,
        expect.not.stringMatching(/\d/),
      ]);
      if (figure) expect([claimId, line]).toEqual([claimId, expect.stringContaining(`{${figure}N}`)]);
      if (!figure && headline) expect([claimId, state]).toEqual([claimId, 'commitment']);
    }
  });
});

describe('constants', () => {
  const shown = [
    ...addresses.filter((address) => address !== '/claims').map((address) => textOf(readPage(address))),
    ...contentStrings('consent.json'),
    ...contentStrings('verify/en.json'),
    ...WRITTEN.filter((file) => file.startsWith('console/')).flatMap((file) => contentStrings(file)),
  ].join('\n');

  test.each(constants.map((constant) => [constant.says, constant] as const))('“%s”', (says, constant) => {
    const { source, text, claim, basis } = constant as Record<string, string | undefined>;
    expect([source, claim, basis].filter(Boolean)).toHaveLength(1);
    // Whole numbers: 10 is no evidence for 1000.
    if (source)
      expect(
        readFileSync(join(ROOT, source), 'utf8')
          .split(`${text}`)
          .slice(1)
          .some((rest) => !/^[\d.]*\d/.test(rest)),
      ).toBe(true);
    if (claim) expect(claims.map(({ claimId }) => claimId)).toContain(claim);
    // Constants that no page uses must be removed.
    expect(shown).toContain(says);
  });
});

describe('/claims', () => {
  const html = readPage('/claims');
  const sectionOf = (id: string) => {
    const start = html.indexOf(`<section id="${id}"`);
    return html.slice(start, html.indexOf('</section>', start));
  };

  test.each(claims)('$claimId: states its status and names its basis', ({ claimId, figure, target }) => {
    const section = sectionOf(claimId);
    const status = tags(section, 'span').find((span) => span['data-status'])?.['data-status'];
    expect(content.states.map(({ name }) => name)).toContain(status);
    if (target) expect(textOf(section)).toContain(`Target: ${target.text}`);
    if (!figure) return;
    const [, measurement = ''] = /npm run bench -- ([\w/-]+)/.exec(textOf(section)) ?? [];
    const result = JSON.parse(readFileSync(join(RESULTS, `${measurement}.json`), 'utf8'));
    expect(textOf(section)).toContain(result.commit);
    expect(textOf(section)).toContain(`${result.machine.cpu}, ${result.machine.cores} cores`);
    expect(tags(section, 'a')).toContainEqual(
      expect.objectContaining({ href: `/benchmarks#${measurement.replace('/', '-')}` }),
    );
  });

  test('shows the numbers of the contract', () => {
    expect(textOf(html)).toMatch(/100\s+faces\.maxPerImage/);
  });

  const framed = addresses.filter((address) => address !== '/verify' && address !== '/console');
  test.each(framed)('is linked from %s', (address) => {
    expect(tags(readPage(address), 'a').map(({ href }) => href)).toContain('/claims');
  });
});

describe('the status of a claim', () => {
  const statusOf = (claim: object, figure: object) => {
    const what = 'LFW accuracy, threshold from the other folds';
    const results = [{ name: 'accuracy/lfw', figures: [{ what, unit: '%', ...figure }] }];
    return callInNode('gatsby/measured.mjs', 'statusOf', { claimId: 'x', ...claim }, results);
  };
  const target = { value: 99, unit: '%', better: 'higher' };

  test.each([
    ['unmeasured', {}, {}],
    ['measured', { figure: 'lfw' }, { value: 99 }],
    ['reached', { figure: 'lfw', target }, { value: 99.5, sample: { interval: [99.1, 99.8] } }],
    ['open', { figure: 'lfw', target }, { value: 99.5, sample: { interval: [98, 99.8] } }],
    ['missed', { figure: 'lfw', target }, { value: 98.9, sample: { interval: [98, 99.8] } }],
    [
      'reached',
      { figure: 'lfw', target: { ...target, figure: 'lfw', complement: true } },
      { value: 0.5, sample: { interval: [0, 0.9] } },
    ],
    ['missed', { figure: 'lfw', target: { ...target, complement: true } }, { value: 96 }],
  ])('%s: %j on %j', (expected, claim, figure) => {
    expect(statusOf(claim, figure)).toBe(expected);
  });
});

describe('withdrawn claims', () => {
  const documents = [
    'README.md',
    'SECURITY.md',
    ...['.ci', 'benchmarks', 'deploy', 'gateway', 'inference'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
        .map((file) => join(folder, file)),
    ),
  ];
  const contract = readdirSync(join(ROOT, 'gateway/contract')).filter((file) => file.endsWith('.json'));
  const texts = new Map([
    ...addresses
      .filter((address) => address !== '/claims')
      .map((address) => [address, textOf(readPage(address))] as const),
    ...documents.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const),
    ...contract.map((file) => [file, readFileSync(join(ROOT, 'gateway/contract', file), 'utf8')] as const),
  ]);

  test.each(content.withdrawn.items)(
    '“$said” appears only among the withdrawn claims',
    ({ said, pattern }) => {
      expect(said).toMatch(new RegExp(pattern));
      const matching = [...texts].filter(([, text]) => new RegExp(pattern).test(text)).map(([name]) => name);
      expect(matching).toEqual([]);
    },
  );
});
