/**
 * Decisions of synchronous endpoints, and their fallback.
 *
 * Slow: it waits for the deadlines of receivers that never respond.
 */
import { type RunningServer, startRedis } from '../../../deploy/local/harness/index.mjs';
import type { Decision } from '../../src/services/liveness/session/events';
import { type Deployment, deploy, happen, newEvent, until } from './deployment';
import { type Receiver, type Responder, startReceiver, status, verified } from './receiver';

let server: RunningServer;
let one: Deployment;
const receivers: Receiver[] = [];

beforeAll(async () => {
  server = await startRedis();
  one = await deploy(server.url, { syncDelayMs: 300 });
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((made) => made.close()));
});
afterAll(async () => {
  await one.stop();
  await server.stop();
});

const says =
  (body: unknown): Responder =>
  (response) =>
    response.end(typeof body === 'string' ? body : JSON.stringify(body));

type Settings = Parameters<Deployment['endpoint']>[2];
const events = ['session.started', 'session.completed'];

async function endpoint(accountId: string, respond: Responder, settings: Settings = {}) {
  const made = await startReceiver(respond);
  receivers.push(made);
  return {
    ...(await one.endpoint(accountId, made.url, { events, type: 'sync', ...settings })),
    receiver: made,
  };
}
const started = (accountId: string) => newEvent(accountId, { eventType: 'session.started' });
const completed = (accountId: string) => newEvent(accountId, { eventType: 'session.completed' });

const url = 'https://shop.example/next';
const redirect: Decision = { decision: 'redirect', redirectUrl: url };

describe('a decision', () => {
  test.each<[string, unknown, Decision, Decision]>([
    ['none', { status: 'received' }, { decision: 'continue' }, { decision: 'continue' }],
    [
      'continue',
      { status: 'received', decision: 'continue' },
      { decision: 'continue' },
      { decision: 'continue' },
    ],
    ['reject', { status: 'received', decision: 'reject' }, { decision: 'reject' }, { decision: 'continue' }],
    ['redirect', { status: 'received', decision: 'redirect', redirectUrl: url }, redirect, redirect],
    [
      'with more fields',
      { status: 'received', decision: 'reject', x: 1 },
      { decision: 'reject' },
      { decision: 'continue' },
    ],
  ])('is read from a response with %s', async (_name, body, atStart, atEnd) => {
    const accountId = await one.account();
    const { receiver, secret } = await endpoint(accountId, says(body));
    const event = started(accountId);
    one.sessions.set(event.sessionId, { metadata: { userId: 'u' } });
    expect(await one.webhooks.sync.decide(event)).toEqual(atStart);
    expect(await one.webhooks.sync.decide(completed(accountId))).toEqual(atEnd);
    const [first] = receiver.all;
    expect(verified(first!, secret)).toMatchObject({
      eventType: 'session.started',
      metadata: { userId: 'u' },
    });
    expect(first?.headers['webhook-id']).toBe(event.eventId);
  });

  test('comes only from endpoints in the mode of the session', async () => {
    const accountId = await one.account();
    const settings = { mode: 'live' } as const;
    await endpoint(accountId, says({ status: 'received', decision: 'reject' }), settings);
    const decide = (mode: 'live' | 'test') => one.webhooks.sync.decide({ ...started(accountId), mode });
    expect(await decide('test')).toEqual({ decision: 'continue' });
    expect(await decide('live')).toEqual({ decision: 'reject' });
  });

  test('of several endpoints prefers reject to redirect', async () => {
    const accountId = await one.account();
    await endpoint(accountId, says({ status: 'received' }));
    await endpoint(accountId, says({ status: 'received', decision: 'redirect', redirectUrl: url }));
    expect(await one.webhooks.sync.decide(started(accountId))).toEqual(redirect);
    await endpoint(accountId, says({ status: 'received', decision: 'reject' }));
    expect(await one.webhooks.sync.decide(started(accountId))).toEqual({ decision: 'reject' });
  });

  test('continues without a subscribed endpoint, with a disabled one, and on plans without sync webhooks', async () => {
    const accountId = await one.account();
    const { endpoint: made, receiver } = await endpoint(
      accountId,
      says({ status: 'received', decision: 'reject' }),
    );
    const cancelled = newEvent(accountId, { eventType: 'session.cancelled' });
    expect(await one.webhooks.sync.decide(cancelled)).toEqual({ decision: 'continue' });
    await one.keys.updateAccount(accountId, { plan: 'free' });
    expect(await one.webhooks.sync.decide(started(accountId))).toEqual({ decision: 'continue' });
    await one.keys.updateAccount(accountId, { plan: 'growth' });
    await one.admin.disable(accountId, made.id, 'operator');
    expect(await one.webhooks.sync.decide(started(accountId))).toEqual({ decision: 'continue' });
    expect(receiver.all).toEqual([]);
  });
});

test('sends an acknowledged event again only when an operator replays it', async () => {
  const accountId = await one.account();
  const { receiver } = await endpoint(accountId, says({ status: 'received' }));
  const event = await happen(one.redis, started(accountId));
  await one.webhooks.sync.decide(event);
  one.webhooks.events.notify(accountId);
  const { items } = await until(
    () => one.log.list(accountId, { limit: 5 }),
    (page) => page.items.length > 0,
  );
  expect(items).toMatchObject([{ eventId: event.eventId, state: 'delivered', attempts: 1 }]);
  // The delayed job finds that the endpoint has acknowledged the event.
  const gone = await until(
    () => one.registry.metrics(),
    (text) => /webhook_backlog 0\n/.test(text),
  );
  expect(gone).toBeDefined();
  expect(receiver.all).toHaveLength(1);
  await one.deliveries.replay(accountId, { eventId: event.eventId });
  await receiver.count(2);
});

describe('without a valid response', () => {
  const drip: Responder = (response) => {
    response.write('{"status":');
  };
  test.each<[string, Responder, string]>([
    ['none in time', () => {}, 'timeout'],
    ['one that never ends', drip, 'timeout'],
    ['one that is too large', says(`{"status":"received","x":"${'x'.repeat(5_000)}"}`), 'oversized'],
    ['another status', status(500), '500'],
    ['a redirect', status(302, { location: 'http://127.0.0.1:1/' }), '302'],
    ['no JSON', says('received'), 'response'],
    ['another word', says({ status: 'ok' }), 'response'],
    [
      'an address that is not https',
      says({ status: 'received', decision: 'redirect', redirectUrl: 'http://a/' }),
      'response',
    ],
    [
      'an address without a valid port',
      says({ status: 'received', decision: 'redirect', redirectUrl: 'https://shop.example:99999/' }),
      'response',
    ],
    ['a lost connection', (response) => response.destroy(), 'connection'],
  ])(
    '%s: applies onFailure, logs the reason and delivers the event asynchronously',
    async (_name, respond, why) => {
      const accountId = await one.account();
      const lenient = await endpoint(accountId, respond);
      const event = started(accountId);
      expect(await one.webhooks.sync.decide(event)).toEqual({ decision: 'continue' });
      expect(one.lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({ eventId: event.eventId, why });
      for (const id of [accountId, event.sessionId]) expect(one.lines.join('')).not.toContain(id);
      await one.admin.update(accountId, lenient.endpoint.id, { onFailure: 'reject' });
      if (why === 'timeout') return;
      const next = await happen(one.redis, started(accountId));
      expect(await one.webhooks.sync.decide(next)).toEqual({ decision: 'reject' });
      lenient.receiver.respond = says({ status: 'received' });
      one.webhooks.events.notify(accountId);
      const after = await lenient.receiver.count(3);
      expect(after[2]?.headers['webhook-id']).toBe(next.eventId);
    },
  );
});
