/**
 * The element and the hosted page at several origins, in Chromium, with a real service.
 *
 * Slow: it starts the whole service with its site.
 */
import type { Browser } from 'playwright-core';
import { type Service, startService } from '../../../gateway/harness/index.mjs';
import { sharedTierUrl } from '../../../gateway/test/shared-tier';
import { launch } from '../chromium';
import { startVisit, type Visit } from '../visit';
import { type EmbeddingPage, giveSession, reported, startEmbeddingPage } from './embedding-page';

let browser: Browser;
let service: Service;
let site: EmbeddingPage;
let visit: Visit;
/** A session of each mode, which no page has opened. */
let newSession: (mode: 'live' | 'test') => Promise<{ accessToken: string; sessionId: string }>;

beforeAll(async () => {
  [browser, service, site] = await Promise.all([
    launch(),
    startService({ site: true, inferenceUrl: sharedTierUrl() }),
    startEmbeddingPage(),
  ]);
  site.apiUrl = service.apiUrl;
  const account = await service.createAccount();
  const trial = await service.admin('keys', 'create', '--account', account.accountId, '--mode', 'test');
  newSession = async (mode) => {
    const created = await fetch(`${service.apiUrl}/liveness`, {
      method: 'POST',
      headers: { authorization: `Bearer ${mode === 'live' ? account.apiKey : trial.apiKey}` },
    });
    return ((await created.json()) as { data: { accessToken: string; sessionId: string } }).data;
  };
});
afterAll(async () => {
  await Promise.all([browser?.close(), site?.stop(), service?.stop()]);
});
beforeEach(async () => {
  visit = await startVisit(browser);
});
afterEach(() => visit.context.close());

const sees = (name: string) => visit.page.locator(`[data-name="${name}"]`).waitFor();
const named = (address: string, host: string) => address.replace('127.0.0.1', host);
const statusOf = async ({ accessToken, sessionId }: { accessToken: string; sessionId: string }) => {
  const response = await fetch(`${service.apiUrl}/liveness/${sessionId}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return ((await response.json()) as { data: { status: string } }).data.status;
};

const hosts = ['127.0.0.1', 'localhost'];

test.each(hosts)('the hosted page opens a live session at %s', async (host) => {
  const session = await newSession('live');
  await visit.page.goto(`${named(service.siteUrl, host)}/verify#${session.accessToken}`);
  await sees('consent');
  expect(await statusOf(session)).toBe('started');
  expect(visit.errors).toEqual([]);
});

test.each(hosts)('a page at %s opens the session of a test key', async (host) => {
  const session = await newSession('test');
  await visit.page.goto(named(site.origin, host));
  await giveSession(visit.page, { apiUrl: service.apiUrl, accessToken: session.accessToken });
  await sees('consent');
  expect(await reported(visit.page)).toEqual([['ready', null]]);
  expect(await statusOf(session)).toBe('started');
  expect(visit.errors).toEqual([]);
});

test.each([
  ['live', '127.0.0.1'],
  ['live', 'localhost'],
  ['live', 'shop.localhost'],
  ['test', 'shop.localhost'],
] as const)(
  'the session of a %s key refuses a page at %s, whose origin is not allowed',
  async (mode, host) => {
    const session = await newSession(mode);
    const origin = named(site.origin, host);
    await visit.page.goto(origin);
    await giveSession(visit.page, { apiUrl: service.apiUrl, accessToken: session.accessToken });
    await sees('blocked.originNotAllowed');
    expect(await reported(visit.page)).toEqual([['blocked', { reason: 'originNotAllowed' }]]);
    expect(visit.errors).toEqual([expect.stringContaining(`does not allow pages of ${origin}.`)]);
    expect(visit.errors.join('')).not.toContain(session.sessionId);
    expect(await statusOf(session)).toBe('created');
  },
);

test('a page whose access token nobody issued learns that its link is invalid', async () => {
  const { accessToken } = await newSession('live');
  const forged = accessToken.replace(/.{8}$/, 'AAAAAAAA');
  await visit.page.goto(site.origin);
  await giveSession(visit.page, { apiUrl: service.apiUrl, accessToken: forged });
  await sees('blocked.linkInvalid');
});

test('a page of another origin cannot read a session, start it or cancel it', async () => {
  const session = await newSession('live');
  await visit.page.goto(site.origin);
  const replies = await visit.page.evaluate(
    async ({ api, sessionId, accessToken }) => {
      const reply = async (path: string, method: string) => {
        const headers = { authorization: `Bearer ${accessToken}` };
        const response = await fetch(`${api}/v1/liveness/${sessionId}${path}`, { method, headers });
        return [response.status, Object.keys(await response.json())];
      };
      return [await reply('', 'GET'), await reply('/start', 'POST'), await reply('/cancel', 'POST')];
    },
    { api: service.apiUrl, ...session },
  );
  expect(replies).toEqual(replies.map(() => [403, ['success', 'error', 'requestId']]));
  expect(await statusOf(session)).toBe('created');
});

test('a cancellation by the backend ends the check in front of the user', async () => {
  const { apiKey } = await service.createAccount();
  const created = await fetch(`${service.apiUrl}/liveness`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { data } = (await created.json()) as { data: { accessToken: string; sessionId: string } };
  await visit.page.goto(`${service.siteUrl}/verify#${data.accessToken}`);
  await sees('consent');
  const cancelled = await fetch(`${service.apiUrl}/liveness/${data.sessionId}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(((await cancelled.json()) as { data: object }).data).toEqual({ status: 'cancelled' });
  // The page notices it by its regular call.
  await sees('ended.cancelled');
  expect(await usageOf(apiKey)).toMatchObject({ used: 0, reserved: 0 });
});

async function usageOf(apiKey: string) {
  const response = await fetch(`${service.apiUrl}/usage`, { headers: { authorization: `Bearer ${apiKey}` } });
  const { data } = (await response.json()) as {
    data: { productGroups: { livenessDetection: { used: number; reserved: number } } };
  };
  return data.productGroups.livenessDetection;
}
