/**
 * The status page, in front of a real service and of scripted responses of the API.
 *
 * Slow: it breaks the whole service and waits until the status page shows it.
 */
import history from '@presenza/contract/examples/health-history-response.json';
import written from '@presenza/contract/examples/service-incidents-response.json';
import type { BrowserContextOptions } from 'playwright-core';
import { type Service, startService, waitUntil } from '../../gateway/harness/index.mjs';
import texts from '../content/status.json';
import { fill } from '../src/fill';
import { tags, textOf } from './html';
import { readPage } from './quality/built-site';
import { newVisit, setUpSite, site } from './stage';
import { PHONE, type Visit, violations } from './visit';

setUpSite();

interface Part {
  readonly component: string;
  readonly available: boolean;
  readonly days?: readonly { date: string; available: number; partial: number; unavailable: number }[];
}

const timestamp = '2026-01-15T10:29:30.000Z';
const names = texts.components.map(({ name }) => name);
/** A day with all its minutes. */
const fine = (date: string) => ({ date, available: 1440, partial: 0, unavailable: 0 });
const partsWith = (days: Part['days'], down: readonly string[] = []): Part[] =>
  names.map((component) => ({ component, available: !down.includes(component), ...(days && { days }) }));

const HISTORY = '**/health/history';
const respond = ({ context }: Visit, components: readonly Part[]) =>
  context.route(HISTORY, (route) =>
    route.fulfill({
      json: { ...history, data: { timestamp, components } },
      headers: { 'access-control-allow-origin': '*' },
    }),
  );

const INCIDENTS = '**/health/incidents';
type Incident = (typeof written)['data']['incidents'][number];
const respondWith = ({ context }: Visit, data: object) =>
  context.route(INCIDENTS, (route) =>
    route.fulfill({ json: { ...written, data }, headers: { 'access-control-allow-origin': '*' } }),
  );
/** The response of a gateway that can read its store. */
const known = (incidents: readonly Incident[]) => ({ timestamp, readAt: timestamp, incidents });

/** The page with a response of the API. */
async function visit(
  components: readonly Part[] | 'nothing',
  options: BrowserContextOptions = {},
  incidents: object = known([]),
): Promise<Visit> {
  const visit = await newVisit(options);
  await visit.page.clock.install();
  if (components === 'nothing') {
    for (const calls of [HISTORY, INCIDENTS]) await visit.context.route(calls, (route) => route.abort());
  } else {
    await respond(visit, components);
    await respondWith(visit, incidents);
  }
  await visit.page.goto(`${site.url}/status`);
  return visit;
}

const headlineOf = ({ page }: Visit) => page.getByRole('status').first();
const barsOf = ({ page }: Visit) =>
  page.getByRole('img').evaluateAll((bars) => bars.map((bar) => bar.ariaLabel));

describe('a real service', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ site: true });
  });
  afterAll(() => service.stop());

  test('the page reads the state from the API, across origins and under its policy', async () => {
    const reader = await newVisit();
    await reader.page.goto(`${service.siteUrl}/status`);
    await headlineOf(reader).filter({ hasText: texts.allAvailable }).waitFor();
    expect(await reader.page.getByText(texts.available, { exact: true }).count()).toBe(names.length);
    expect(reader.errors).toEqual([]);
    expect(reader.requests).toContain(`${service.url}/health/history`);
  });

  test('an incident that an operator writes is on the page and in the feed that it links to', async () => {
    const title = 'Sessions <b>fail</b> & retry';
    const about = ['--title', title, '--components', 'liveness', '--impact', 'outage'];
    const { incidentId } = await service.admin(
      'incidents',
      'create',
      ...about,
      '--text',
      'We look\ninto it.',
    );
    await waitUntil('the gateway has read the incident', async () => {
      const { data } = await (await fetch(`${service.url}/health/incidents`)).json();
      return data.incidents.length > 0;
    });
    const reader = await newVisit();
    const { page } = reader;
    await page.goto(`${service.siteUrl}/status#${incidentId}`);
    await headlineOf(reader)
      .filter({ hasText: fill(texts.incidents.now, { titles: title }) })
      .waitFor();
    const article = page.getByRole('article').filter({ hasText: title });
    await article.getByText(`${texts.incidents.impacts.outage}: Liveness`).waitFor();
    expect(await article.getByText('We look').innerText()).toBe('We look\ninto it.');
    expect(await violations(page)).toEqual([]);
    const href = await page.getByRole('link', { name: texts.incidents.feed }).getAttribute('href');
    expect(await page.locator('link[type="application/atom+xml"]').getAttribute('href')).toBe(href);
    const feed = await page.request.get(service.siteUrl + href);
    expect(feed.headers()['content-type']).toBe('application/atom+xml; charset=utf-8');
    // The browser's own parser reads it.
    const entry = await page.evaluate(
      (xml) => {
        const document = new DOMParser().parseFromString(xml, 'application/xml');
        const html = new DOMParser().parseFromString(
          document.querySelector('entry content')?.textContent ?? '',
          'text/html',
        );
        return {
          title: document.querySelector('entry title')?.textContent,
          link: document.querySelector('entry link')?.getAttribute('href'),
          texts: [...html.querySelectorAll('p')].map((paragraph) => paragraph.textContent),
        };
      },
      await feed.text(),
    );
    expect(entry).toMatchObject({
      title: `Investigating: ${title}`,
      link: `${service.siteUrl}/status#${incidentId}`,
      texts: ['Outage: Liveness', expect.stringMatching(/^From /), expect.stringContaining('We look')],
    });
    expect(reader.errors).toEqual([]);
  });
});

const [maintenance, outage] = written.data.incidents as [Incident, Incident];
const headings = async ({ page }: Visit, level: 2 | 3 | 4) => {
  const all = await page.getByRole('heading', { level }).allInnerTexts();
  return all.filter((text) => !texts.components.some(({ label }) => label === text));
};

test('current incidents are on top, then planned maintenance, and past incidents by day', async () => {
  const { endsAt: _, ...lasting } = { ...outage, incidentId: 'inc_2', title: 'Slow', status: 'identified' };
  const incidents = [maintenance, lasting as Incident, outage];
  const reader = await visit(partsWith([fine('2026-01-14')]), {}, known(incidents));
  await headlineOf(reader)
    .filter({ hasText: fill(texts.incidents.now, { titles: 'Slow' }) })
    .waitFor();
  const { current, planned, past } = texts.incidents;
  expect(await headings(reader, 2)).toEqual(expect.arrayContaining([current, planned, past]));
  expect(await headings(reader, 3)).toEqual(
    expect.arrayContaining(['Slow', maintenance.title, 'January 15, 2026']),
  );
  expect(await headings(reader, 4)).toEqual([outage.title]);
  const updates = reader.page.getByRole('article').last().getByRole('listitem');
  expect(await updates.count()).toBe(outage.updates.length);
  expect(await updates.first().innerText()).toContain(texts.incidents.statuses.resolved);
});

test('incidents that the gateway cannot read are unknown, and those that it read earlier have the time of that', async () => {
  const unknown = await visit(partsWith(undefined, names), {}, { timestamp });
  await unknown.page.getByText(texts.incidents.unknown).waitFor();
  expect(await unknown.page.getByText(texts.incidents.past).count()).toBe(0);
  const stale = { ...known([outage]), readAt: '2026-01-15T09:00:00.000Z' };
  const reader = await visit(partsWith(undefined, names), {}, stale);
  await reader.page.getByText(texts.incidents.stale.split('{')[0] ?? '').waitFor();
  await reader.page.getByRole('heading', { name: outage.title }).waitFor();
});

test('the page keeps the incidents while the API cannot be reached', async () => {
  const reader = await visit(partsWith([]), {}, known([outage]));
  await reader.page.getByRole('heading', { name: outage.title }).waitFor();
  for (const calls of [HISTORY, INCIDENTS]) {
    await reader.context.unroute(calls);
    await reader.context.route(calls, (route) => route.abort());
  }
  await reader.page.clock.runFor(60_000);
  await headlineOf(reader).filter({ hasText: texts.unreachable.heading }).waitFor();
  expect(await reader.page.getByRole('heading', { name: outage.title }).count()).toBe(1);
});

test('the page names the parts that are unavailable', async () => {
  const reader = await visit(partsWith([fine('2026-01-14')], ['liveness', 'webhooks']));
  const headline = fill(texts.someUnavailable, { components: 'Liveness, Webhooks' });
  await headlineOf(reader).filter({ hasText: headline }).waitFor();
  // The headline lacks the time of the response, which screen readers would announce every minute.
  expect(await headlineOf(reader).innerText()).toBe(headline);
  expect(await reader.page.getByText(texts.unavailable, { exact: true }).count()).toBe(2);
});

test('bars and table have the same texts, and days that were not measured', async () => {
  const days = [
    fine('2026-01-10'),
    { date: '2026-01-12', available: 1000, partial: 0, unavailable: 0 },
    { date: '2026-01-13', available: 1438, partial: 2, unavailable: 0 },
    { date: '2026-01-14', available: 1400, partial: 3, unavailable: 30 },
    { date: '2026-01-15', available: 630, partial: 0, unavailable: 0 },
  ];
  const reader = await visit(partsWith(days));
  await headlineOf(reader).filter({ hasText: texts.allAvailable }).waitFor();
  const label = fill(texts.bar, { days: 90, fine: 2, partial: 1, outage: 1, gaps: 1, none: 85 });
  expect(await barsOf(reader)).toEqual(names.map(() => label));
  await reader.page.getByText(texts.table.summary).click();
  const rows = await reader.page.locator('tbody tr').allInnerTexts();
  expect(rows.map((row) => row.split('\t').slice(0, 2))).toEqual([
    ['2026-01-15', '630 available'],
    ['2026-01-14', '30 unavailable, 3 partly available, 7 not measured, 1,400 available'],
    ['2026-01-13', '2 partly available, 1,438 available'],
    ['2026-01-12', '440 not measured, 1,000 available'],
    ['2026-01-10', '1,440 available'],
  ]);
});

test('there is no percentage before a week is measured', async () => {
  const reader = await visit(partsWith([fine('2026-01-14')]));
  await headlineOf(reader).filter({ hasText: texts.allAvailable }).waitFor();
  const text = await reader.page.locator('main').innerText();
  expect(text).toContain(fill(texts.tooLittle, { minutes: 1440, least: 10_080 }));
  expect(text).not.toMatch(/\d %/);
});

test('a percentage names the minutes that it is a share of', async () => {
  const days = Array.from({ length: 14 }, (_, place) =>
    fine(`2026-01-${String(place + 1).padStart(2, '0')}`),
  );
  const reader = await visit(
    partsWith([...days.slice(1), { ...fine('2026-01-01'), available: 1439, partial: 1 }]),
  );
  await reader.page
    .getByText(fill(texts.share, { percent: '99.99', minutes: 14 * 1440 }))
    .first()
    .waitFor();
});

test('no measurement, unreadable records and an unreachable API are said plainly', async () => {
  const text = async (reader: Visit, says: string) => {
    await reader.page.getByText(says).first().waitFor();
    return reader.page.locator('main').innerText();
  };
  expect(await text(await visit(partsWith([])), texts.noMeasurement)).not.toMatch(/\d %/);
  const down = await visit(partsWith(undefined, names));
  expect(await text(down, texts.noRecords)).not.toContain(texts.noMeasurement);
  expect(await barsOf(down)).toEqual([]);
  const nothing = await text(await visit('nothing'), texts.unreachable.heading);
  expect(nothing).not.toContain(texts.allAvailable);
  expect(nothing).toContain(texts.unreachable.text);
});

test('the page tries again every minute while the API cannot be reached', async () => {
  const reader = await visit('nothing');
  await headlineOf(reader).filter({ hasText: texts.unreachable.heading }).waitFor();
  await respond(reader, partsWith([]));
  await reader.page.clock.runFor(60_000);
  await headlineOf(reader).filter({ hasText: texts.allAvailable }).waitFor();
});

test.each<[string, BrowserContextOptions]>([
  ['light', {}],
  ['dark', { colorScheme: 'dark', viewport: PHONE }],
])('axe finds no violations in %s mode, also in the open table', async (_mode, options) => {
  const days = [fine('2026-01-13'), { ...fine('2026-01-14'), available: 1430, unavailable: 10 }];
  const reader = await visit(partsWith(days, ['webhooks']), options, known(written.data.incidents));
  await reader.page.getByRole('heading', { name: outage.title }).waitFor();
  await reader.page.getByText(texts.table.summary).click();
  expect(await violations(reader.page)).toEqual([]);
});

test('without scripts, the page says where the data is, and it is not indexed', () => {
  const html = readPage('/status');
  expect(textOf(html)).toContain(texts.noScript);
  expect(tags(html, 'meta')).toContainEqual(expect.objectContaining({ name: 'robots', content: 'noindex' }));
  expect(tags(readPage('/'), 'a').map(({ href }) => href)).toContain('/status');
});
