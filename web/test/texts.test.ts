/** The built legal texts, support and blog: complete, in order, with the contract's numbers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import brand from '@presenza/contract/brand.json';
import limits from '@presenza/contract/limits.json';
import plans from '@presenza/contract/plans.json';
import blog from '../content/blog/index.json';
import faq from '../content/faq.json';
import site from '../content/site.json';
import support from '../content/support.json';
import { COOKIE_DAYS, VALID_MONTHS } from '../src/consent/consent';
import { fill } from './figures';
import { contents, decode, tags, textOf } from './html';
import { readPage } from './quality/built-site';

const mainOf = (path: string) => contents(readPage(path), 'main').join();
const hrefs = (html: string) => tags(html, 'a').map(({ href }) => href);
const times = (html: string) => tags(html, 'time').map(({ dateTime, datetime }) => dateTime ?? datetime);
/** Headings without their anchors. */
const headings = (html: string, level: string) =>
  contents(html, level).map((heading) => decode(heading.replace(/<[^>]*>/g, '')).trim());

describe.each([
  {
    path: 'terms-of-service',
    updated: ['9/1/2025', '2025-09-01'],
    sections: [
      /introduction/i,
      /acceptance/i,
      /updates/i,
      /responsibilities/i,
      /prohibited activities/i,
      /intellectual property/i,
      /rights of the company/i,
      /third parties/i,
      /disclaimers, liability and indemnification/i,
      /privacy/i,
      /governing law/i,
      /severability/i,
      /entire agreement/i,
      /waiver/i,
      /notice/i,
    ],
    says: [
      'legal age of majority',
      'correct, current and complete',
      'suspend or terminate your access to the Service at any time',
      'laws of British Columbia',
      'citizen of the European Union, Switzerland, Norway or Iceland',
    ],
    leadsTo: ['/privacy-policy', '/cookie-policy', `mailto:${site.contact.support}`],
  },
  {
    path: 'privacy-policy',
    updated: ['8/31/2025', '2025-08-31'],
    sections: [
      /introduction and scope/i,
      /personal data we collect/i,
      /cookies/i,
      /retention and deletion/i,
      /merger or acquisition/i,
      /safety of data/i,
      /children/i,
      /your rights/i,
      /changes/i,
      /contact/i,
    ],
    says: [
      'Your name, your e-mail address and your password',
      'Your billing address, your phone number, and your card or other method of payment',
      `${limits.liveness.dataRetentionSeconds / 3600} hours from its creation`,
      'zero retention',
      'under the age of 16',
    ],
    leadsTo: ['/cookie-policy', '/support', `mailto:${site.contact.support}`],
  },
  {
    path: 'cookie-policy',
    updated: ['8/31/2025', '2025-08-31'],
    sections: [/about/i, /stored/i, /kinds/i, /choose/i, /global privacy control/i, /questions/i],
    says: [
      `${COOKIE_DAYS} days`,
      `${VALID_MONTHS} months`,
      'up to 1 year',
      'up to 26 months',
      'up to 2 years',
      'Cookie Settings',
      'Refusing is as easy as accepting',
    ],
    leadsTo: ['/privacy-policy'],
  },
])('/$path', ({ path, updated, sections, says, leadsTo }) => {
  const html = mainOf(path);
  const [date, machineDate] = updated;

  test('has numbered sections in order, all in the table of contents', () => {
    const titles = headings(html, 'h2');
    expect(titles).toHaveLength(sections.length);
    sections.forEach((name, index) => {
      expect(titles[index]).toMatch(new RegExp(`^${index + 1}\\. `));
      expect(titles[index]).toMatch(name);
    });
    const ids = tags(html, 'h2').map(({ id }) => `#${id}`);
    expect(hrefs(contents(html, 'nav').join())).toEqual(ids);
  });

  test('has text below each heading', () => {
    for (const section of html.split('<h2').slice(1)) expect(textOf(section).length).toBeGreaterThan(100);
  });

  test('has its effective date', () => {
    expect(textOf(html)).toContain(`Last updated ${date}`);
    expect(times(html)).toEqual([machineDate]);
  });

  test('has the required statements and links', () => {
    for (const text of says) expect(textOf(html)).toContain(text);
    expect(hrefs(html)).toEqual(expect.arrayContaining(leadsTo));
  });
});

test('the cookie policy lists every stored entry', () => {
  const src = (file: string) => readFileSync(join(__dirname, '../src', file), 'utf8');
  const keys = [
    ...src('consent/browser-consent.ts').matchAll(/_KEY = '([^']+)'/g),
    ...src('consent/consent-store.ts').matchAll(/COOKIE_NAME = '([^']+)'/g),
    ...src('features/theme/themes.ts').matchAll(/choiceOf\('([^']+)'/g),
    ...src('components/code/language.ts').matchAll(/storageKey: '([^']+)'/g),
    ...src('../static/verify.js').matchAll(/STORAGE_KEY = '([^']+)'/g),
    ...src('../component/src/device.ts').matchAll(/STORAGE_KEY = '([^']+)'/g),
    ...src('features/console/state/context.tsx').matchAll(/AccountKey = '([^']+)'/g),
  ].map(([, key]) => key);
  expect(keys).toHaveLength(8);
  keys.push(`${brand.slug}-console`, `__Host-${brand.slug}-console`);
  const named = contents(mainOf('cookie-policy'), 'code');
  expect(named).toEqual(expect.arrayContaining(keys));
});

describe('/support', () => {
  const html = mainOf('support');

  test('links to the FAQ and to helpful pages', () => {
    const wanted = ['/support/faq', '/docs', '/docs/get-started', '/docs/api-reference', '/blog'];
    expect(hrefs(html)).toEqual(expect.arrayContaining(wanted));
  });

  test('has both addresses and the response time', () => {
    const { support: technical, sales } = site.contact;
    expect(hrefs(html)).toEqual(expect.arrayContaining([`mailto:${technical}`, `mailto:${sales}`]));
    for (const { label } of support.contact.addresses) expect(textOf(html)).toContain(label);
    expect(textOf(html)).toContain('within 24 hours');
  });
});

describe('/support/faq', () => {
  const html = mainOf('support/faq');

  test('has 13 closed questions with text and address', () => {
    const details = tags(html, 'details');
    expect(details).toHaveLength(13);
    expect(details.map(({ id }) => id)).toEqual(faq.questions.map(({ slug }) => slug));
    expect(html).not.toMatch(/<details[^>]* open/);
    // A name would make the disclosures exclusive.
    expect(details.filter(({ name }) => name)).toEqual([]);
    const shown = textOf(html);
    const said = fill(faq.questions.flatMap(({ question, text }) => [question, ...text]));
    for (const statement of said) expect(shown).toContain(statement);
  });

  test('has the numbers of the contract', () => {
    const rate = plans.find(({ tier }) => tier === 'basic')?.pricing.overage?.livenessDetection;
    expect(textOf(html)).toContain(`on Basic $${rate?.toFixed(2)} for a liveness verification`);
    expect(textOf(html)).toContain(
      `After ${limits.liveness.failedAttempts.limit} failed or abandoned attempts`,
    );
  });

  test('links to support at the top and at the end', () => {
    expect(hrefs(html).filter((href) => href === '/support')).toHaveLength(2);
    expect(textOf(html)).toContain(faq.more.link.label);
  });
});

describe('the blog', () => {
  test('lists both articles with their metadata, featured first', () => {
    const html = mainOf('blog');
    expect(headings(html, 'h2')).toEqual(['FlutterFlow Integration Guide', 'Usage Limit Best Practices']);
    const [first = '', second = ''] = contents(html, 'article');
    expect(hrefs(first)).toEqual(['/blog/flutterflow-integration']);
    expect(hrefs(second)).toEqual(['/blog/usage-and-limits-best-practice']);
    expect(textOf(first)).toMatch(/Integration 8 min read Featured/);
    expect(textOf(second)).toMatch(/Best Practices 5 min read/);
    for (const card of [first, second]) {
      expect(times(card)).toEqual([expect.any(String), expect.any(String)]);
      expect(textOf(card)).toContain('By Developer Team');
      expect(contents(card, 'svg')).toHaveLength(1);
      expect(contents(contents(card, 'ul').join(), 'li')).toHaveLength(5);
    }
  });

  test.each(['flutterflow-integration', 'usage-and-limits-best-practice'])(
    '%s links to the list twice',
    (slug) => {
      const html = mainOf(`blog/${slug}`);
      const backs = [...html.matchAll(/<a[^>]* href="\/blog"[^>]*>([^<]*)<\/a>/g)].map(([, label]) => label);
      expect(backs).toEqual([blog.labels.back, blog.labels.back]);
      expect(headings(html, 'h1')).toHaveLength(1);
    },
  );
});

describe('tables of the usage article', () => {
  const [planTable = '', overageTable = ''] = contents(
    mainOf('blog/usage-and-limits-best-practice'),
    'table',
  );
  const rows = (table: string) =>
    contents(contents(table, 'tbody').join(), 'tr').map((row) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => decode(cell)),
    );
  const amount = (cell = '') => Number(cell.replace(/[$,]/g, ''));

  test('the plans with quotas, rates and rate limits', () => {
    expect(
      rows(planTable).map(([name, liveness, livenessRate, analyses, analysisRate, burst]) => [
        name,
        amount(liveness),
        livenessRate === blog.tables.none ? null : amount(livenessRate),
        amount(analyses),
        analysisRate === blog.tables.none ? null : amount(analysisRate),
        amount(burst),
      ]),
    ).toEqual(
      plans.map(({ displayName, quota: { productGroups }, pricing: { overage }, limits: { burst } }) => [
        displayName,
        productGroups.livenessDetection,
        overage?.livenessDetection ?? null,
        productGroups.imageAnalysis,
        overage?.imageAnalysis ?? null,
        burst.limit,
      ]),
    );
  });

  test('the total is price plus excess times rate', () => {
    const [liveness = [], analyses = [], base = [], total = []] = rows(overageTable);
    for (const [, used, included, excess, rate, cost] of [liveness, analyses]) {
      expect(amount(excess)).toBe(amount(used) - amount(included));
      expect(amount(cost)).toBeCloseTo(amount(excess) * amount(rate));
    }
    const basic = plans.find(({ tier }) => tier === 'basic');
    expect(amount(base[1])).toBe(basic?.pricing.basePrice);
    expect(amount(total[1])).toBeCloseTo(amount(liveness[5]) + amount(analyses[5]) + amount(base[1]));
  });
});
