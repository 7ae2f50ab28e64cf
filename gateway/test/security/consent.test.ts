/** The gateway records a person's consent, reports it only to the account, and erases it with the rest. */
import { sealedParts } from '../../src/services/liveness/liveness';
import { EventDetailsReader } from '../../src/services/liveness/session/event-details';
import type { SessionEvent } from '../../src/services/liveness/session/events';
import { bodyOf } from '../../src/services/webhooks/body';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import { schemas } from '../contract';
import { keySecret } from '../services';
import { TestGateway } from '../test-gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

async function started() {
  const account = await gateway.account();
  const made = await gateway.api({ path: '/liveness', bearer: account.apiKey, body: {} });
  const { sessionId, accessToken: token } = made.body.data;
  const path = `/liveness/${sessionId}`;
  await gateway.api({ path: `${path}/start`, bearer: token });
  const begin = (consentNotice?: unknown, consent: unknown = true, consentLocale?: unknown) =>
    gateway.api({
      path: `${path}/attempts`,
      bearer: token,
      body: {
        consent,
        ...(consentNotice !== undefined && { consentNotice }),
        ...(consentLocale !== undefined && { consentLocale }),
        device: { id: 'd'.repeat(16) },
      },
    });
  const read = async (bearer = account.apiKey) =>
    (await gateway.api({ method: 'GET', path, bearer })).body.data;
  return { account, sessionId, token, path, begin, read };
}

test('nothing is captured without it', async () => {
  const { begin, read } = await started();
  for (const consent of [false, 'true', 1, null]) expect((await begin(undefined, consent)).status).toBe(400);
  expect(await read()).not.toHaveProperty('consent');
});

test('time and notice are reported to the account, and not to anyone who holds the token', async () => {
  const { begin, read, token } = await started();
  const before = Date.now();
  expect((await begin('hosted-2026-11-24')).status).toBe(200);
  const { consent } = await read();
  expect(consent).toEqual({ at: expect.any(String), notice: 'hosted-2026-11-24' });
  expect(Math.abs(Date.parse(consent.at) - before)).toBeLessThan(60_000);
  expect(await read(token)).not.toHaveProperty('consent');
});

test('a later capture that names no notice is not reported under the earlier one', async () => {
  const { begin, read } = await started();
  await begin('app-1');
  expect((await begin()).status).toBe(200);
  expect((await read()).consent).toEqual({ at: expect.any(String) });
});

test('the language of the notice is reported with it, and not under a later notice', async () => {
  const { begin, read } = await started();
  await begin('app-1', true, 'pt-BR');
  expect((await read()).consent).toEqual({ at: expect.any(String), notice: 'app-1', locale: 'pt-BR' });
  await begin('app-1');
  expect((await read()).consent).toEqual({ at: expect.any(String), notice: 'app-1' });
  for (const wrong of ['', 'english please', 'pt_BR', 'x'.repeat(36), 7]) {
    expect((await begin('app-1', true, wrong)).status).toBe(400);
  }
});

test.each(['', 'a b', 'x'.repeat(65), '<b>', 7])('%j is no name of a notice', async (notice) => {
  const { begin } = await started();
  expect((await begin(notice)).status).toBe(400);
});

test('final events carry it, the first one never', async () => {
  const { account, sessionId, begin, path } = await started();
  await begin('app-2');
  const reader = new EventDetailsReader(new RedisSessionStore(gateway.redis), sealedParts(keySecret));
  const details = await reader.readDetails(account.id, sessionId);
  const event = { sessionId, timestamp: Date.now() } as SessionEvent;
  const reported = (eventType: SessionEvent['eventType']) =>
    JSON.parse(bodyOf({ ...event, eventType }, details).toString());
  for (const type of [
    'session.completed',
    'session.failed',
    'session.cancelled',
    'session.expired',
  ] as const) {
    expect(reported(type).consent).toEqual({ at: expect.any(String), notice: 'app-2' });
    expect(schemas.validate('webhook-event.json', reported(type))).toBe(true);
  }
  expect(reported('session.started')).not.toHaveProperty('consent');

  expect((await gateway.api({ method: 'DELETE', path, bearer: account.apiKey })).status).toBe(200);
  expect(await reader.readDetails(account.id, sessionId)).toBeUndefined();
});
