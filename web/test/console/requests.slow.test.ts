/**
 * The overview and the log of requests while requests arrive, for accounts with none, few and many.
 *
 * Slow: it follows the log in a browser with the whole service.
 */
import { Redis } from 'ioredis';
import type { LoggedRequest } from '../../../gateway/src/services/requests/request-log';
import { RedisRequestLog } from '../../../gateway/src/stores/redis-request-log';
import homeTexts from '../../content/console/home.json';
import requestTexts from '../../content/console/requests.json';
import { fill } from '../../src/fill';
import { expectAccessible, Person, poll, service, setUpStage } from './stage';

const { texts: home } = homeTexts;
const { texts } = requestTexts;

setUpStage();

let redis: Redis;
beforeAll(() => {
  redis = new Redis(service.redisUrl);
});
afterAll(() => redis.disconnect());

/** Writes to the log of an account as a gateway does. */
async function log(person: Person, ...requests: readonly Partial<LoggedRequest>[]): Promise<void> {
  const about = { at: Date.now(), keyId: 'key_1', mode: 'live', method: 'POST', path: '/detect' } as const;
  const entries = requests.map((request, place) => ({
    ...about,
    requestId: `req_${place}`,
    status: 200,
    ms: 24.9,
    stages: { auth: 0.1, read: 2, meter: 1.2, infer: 20, queue: 0.2, decode: 2, model: 17 },
    apiVersion: '2026-11-01',
    requestBytes: 183_422,
    responseBytes: 2_310,
    ...request,
  }));
  await new RedisRequestLog(redis, 10_000).append(person.accountId, entries);
}

/** A key, so that the overview shows more than the first step. */
async function withFirstCall(email: string): Promise<Person> {
  const person = await Person.signUp(email);
  const { apiKey } = await person.call('POST', person.path('/keys'), { name: 'Server', mode: 'test' });
  // A session of a test key counts as a call once it is billed.
  const response = await fetch(`${service.url}/v1/liveness`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ testOutcome: 'live' }),
  });
  expect(response.status).toBe(200);
  await poll('the first call counts', async () => (await person.call('GET', person.path('/checklist'))).call);
  return person;
}

const figure = ({ page }: Person, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd');

test('new requests appear while the log is open, wait while somebody reads, and stop on demand', async () => {
  const person = await Person.signUp('follower@example.com');
  const { page, button } = person;
  await person.open('/requests');
  await person.sees(texts.none);
  await expectAccessible(page);
  await log(person, { requestId: 'req_first' });
  const rows = page.locator('tbody tr');
  const links = page.locator('tbody').getByRole('link');
  await links.first().waitFor();
  expect(await rows.count()).toBe(1);

  await links.first().click();
  const panel = page.getByRole('dialog');
  await panel.getByText('req_first').waitFor();
  await log(person, { path: '/compare' }, { path: '/compare' });
  await button(fill(texts.live.newer, { count: 2 })).waitFor();
  expect(await rows.count()).toBe(1);
  await button(fill(texts.live.newer, { count: 2 })).click();
  await rows.nth(2).waitFor();
  expect(await rows.count()).toBe(3);
  await page.keyboard.press('Escape');

  await button(texts.live.pause).click();
  await person.sees(texts.live.paused);
  await log(person, { path: '/moderate' });
  await button(texts.live.resume).click();
  await page.locator('tbody').getByText('/moderate').waitFor();
  await page.getByLabel(texts.filter.path, { exact: true }).selectOption('/compare');
  await page.locator('tbody').getByText('/moderate').waitFor({ state: 'detached' });
  await rows.nth(1).waitFor();
  expect(await rows.count()).toBe(2);
  expect(person.errors).toEqual([]);
});

test('the panel shows its neighbors, and the export has what the filter selects', async () => {
  const person = await Person.signUp('reader@example.com');
  const { page } = person;
  const failed = { status: 429, code: 'RATE_LIMIT_EXCEEDED' } as const;
  await log(person, { requestId: 'req_a' }, { requestId: 'req_b', ...failed }, { requestId: 'req_c' });
  await person.open('/requests?status=4xx');
  const panel = page.getByRole('dialog');
  await page.locator('tbody').getByRole('link').click();
  await panel.getByText('req_b').waitFor();
  await page.goBack();
  await panel.waitFor({ state: 'detached' });
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: texts.csv }).click();
  const lines = (await readAll(await download)).trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(',429,RATE_LIMIT_EXCEEDED,');

  await person.open('/requests');
  await page.locator('tbody').getByRole('link').first().click();
  await panel.getByText('req_c').waitFor();
  await panel.getByRole('button', { name: texts.detail.older }).click();
  await panel.getByText('req_b').waitFor();
  // A filter that starts from an address may be nonsense.
  await person.open('/requests?status=nonsense&entry=nonsense&from=never');
  await person.sees(texts.detail.missing);
  expect(person.errors).toEqual([]);
});

async function readAll(download: { createReadStream(): Promise<NodeJS.ReadableStream> }): Promise<string> {
  let text = '';
  for await (const part of await download.createReadStream()) text += String(part);
  return text;
}

test('the overview counts the requests of a day, for an account with one and with 20,000', async () => {
  const person = await withFirstCall('counted@example.com');
  const { page } = person;
  await person.open('');
  await figure(person, home.day.requests).getByText('1', { exact: true }).waitFor();
  await figure(person, home.day.rate).getByText('100%', { exact: true }).waitFor();
  await expectAccessible(page);
  const hundred = Array.from({ length: 100 }, (_, place) => ({
    status: place === 0 ? 429 : place === 1 ? 503 : 200,
  }));
  for (let written = 0; written < 20_000; written += 100) await log(person, ...hundred);
  await page.reload();
  await figure(person, home.day.requests).getByText('20,001', { exact: true }).waitFor();
  await figure(person, home.day.rate).getByText('98%', { exact: true }).waitFor();
  await figure(person, home.day.failed).getByText('200', { exact: true }).waitFor();
  await expectAccessible(page);
  await figure(person, home.day.refused).getByRole('link').click();
  await page.locator('tbody').getByText('429').first().waitFor();
  expect(new URL(page.url()).search).toBe('?range=day&status=4xx');
  expect(person.errors).toEqual([]);
});

test('the overview says what a requested plan costs, and which key expires', async () => {
  const person = await Person.signUp('pending@example.com');
  const { page } = person;
  await person.open('');
  await page.getByRole('heading', { name: home.key.title }).waitFor();
  expect(await page.getByText(home.pending.title).count()).toBe(0);
  await person.call('POST', person.path('/plan'), { plan: 'growth' });
  const expiresAt = new Date(Date.now() + 3 * 24 * 60 * 60 * 1_000).toISOString();
  await person.call('POST', person.path('/keys'), { name: 'Trial', mode: 'live', expiresAt });
  await page.reload();
  await person.sees(/You requested the Growth plan: \$\d+ a month\./);
  await person.sees(/The key Trial expires on /);
  await expectAccessible(page);
  await page.getByRole('link', { name: home.pending.requested.action }).click();
  await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
  expect(person.errors).toEqual([]);
});
