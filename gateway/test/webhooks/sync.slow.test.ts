/**
 * Decisions of synchronous endpoints, and their fallback.
 *
 * Slow: it waits for the deadlines of receivers that never respond.
 */
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import type { Decision } from '../../src/services/liveness/session/events';
import { type Deployment, deploy, happen, newEvent, until } from './deployment';
import { type Receiver, type Responder, startReceiver, status, verified } from './receiver';

let server: RunningServer;
let deployment: Deployment;
const receivers: Receiver[] = [];

beforeAll(async () => {
  server = await startRedis();
  deployment = await deploy(server.url, { syncDelayMs: 300 });
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((made) => made.close()));
});
afterAll(async () => {
  await deployment.stop();
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
    ...(await deployment.endpoint(accountId, made.url, { events, type: 'sync', ...settings })),
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
    const accountId = await deployment.account();
    const { receiver, secret } = await endpoint(accountId, says(body));
    const event = started(accountId);
    deployment.sessions.set(event.sessionId, { metadata: { userId: 'u' } });
    expect(await deployment.webhooks.sync.decide(event)).toEqual(atStart);
    expect(await deployment.webhooks.sync.decide(completed(accountId))).toEqual(atEnd);
    const [first] = receiver.all;
    expect(verified(first!, secret)).toMatchObject({
      eventType: 'session.started',
      metadata: { userId: 'u' },
    });
    expect(first?.headers['webhook-id']).toBe(event.eventId);
  });

  test('comes only from endpoints in the mode of the session', async () => {
    const accountId = await deployment.account();
    const settings = { mode: 'live' } as const;
    await endpoint(accountId, says({ status: 'received', decision: 'reject' }), settings);
    const decide = (mode: 'live' | 'test') =>
      deployment.webhooks.sync.decide({ ...started(accountId), mode });
    expect(await decide('test')).toEqual({ decision: 'continue' });
    expect(await decide('live')).toEqual({ decision: 'reject' });
  });

  test('rejects if one endpoint says reject and another says redirect', async () => {
    const accountId = await deployment.account();
    await endpoint(accountId, says({ status: 'received' }));
    await endpoint(accountId, says({ status: 'received', decision: 'redirect', redirectUrl: url }));
    expect(await deployment.webhooks.sync.decide(started(accountId))).toEqual(redirect);
    await endpoint(accountId, says({ status: 'received', decision: 'reject' }));
    expect(await deployment.webhooks.sync.decide(started(accountId))).toEqual({ decision: 'reject' });
  });

  test('continues without a subscribed endpoint, with a disabled one, and on plans without sync webhooks', async () => {
    const accountId = await deployment.account();
    const { endpoint: made, receiver } = await endpoint(
      accountId,
      says({ status: 'received', decision: 'reject' }),
    );
    const cancelled = newEvent(accountId, { eventType: 'session.cancelled' });
    expect(await deployment.webhooks.sync.decide(cancelled)).toEqual({ decision: 'continue' });
    await deployment.keys.updateAccount(accountId, { plan: 'free' });
    expect(await deployment.webhooks.sync.decide(started(accountId))).toEqual({ decision: 'continue' });
    await deployment.keys.updateAccount(accountId, { plan: 'growth' });
    await deployment.admin.disable(accountId, made.id, 'operator');
    expect(await deployment.webhooks.sync.decide(started(accountId))).toEqual({ decision: 'continue' });
    expect(receiver.all).toEqual([]);
  });
});

test('sends an acknowledged event again only when an operator replays it', async () => {
  const accountId = await deployment.account();
  const { receiver } = await endpoint(accountId, says({ status: 'received' }));
  const event = await happen(deployment.redis, started(accountId));
  await deployment.webhooks.sync.decide(event);
  deployment.webhooks.events.notify(accountId);
  const { items } = await until(
    () => deployment.log.list(accountId, { limit: 5 }),
    (page) => page.items.length > 0,
  );
  expect(items).toMatchObject([{ eventId: event.eventId, state: 'delivered', attempts: 1 }]);
  // The delayed job finds that the endpoint has acknowledged the event.
  const gone = await until(
    () => deployment.registry.metrics(),
    (text) => /webhook_backlog 0\n/.test(text),
  );
  expect(gone).toBeDefined();
  expect(receiver.all).toHaveLength(1);
  await deployment.deliveries.replay(accountId, { eventId: event.eventId });
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
      const accountId = await deployment.account();
      const lenient = await endpoint(accountId, respond);
      const event = started(accountId);
      expect(await deployment.webhooks.sync.decide(event)).toEqual({ decision: 'continue' });
      expect(deployment.lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({
        eventId: event.eventId,
        why,
      });
      for (const id of [accountId, event.sessionId]) expect(deployment.lines.join('')).not.toContain(id);
      await deployment.admin.update(accountId, lenient.endpoint.id, { onFailure: 'reject' });
      if (why === 'timeout') return;
      const next = await happen(deployment.redis, started(accountId));
      expect(await deployment.webhooks.sync.decide(next)).toEqual({ decision: 'reject' });
      lenient.receiver.respond = says({ status: 'received' });
      deployment.webhooks.events.notify(accountId);
      const after = await lenient.receiver.count(3);
      expect(after[2]?.headers['webhook-id']).toBe(next.eventId);
    },
  );
});

const accepts = says({ status: 'received' });
const newest = async (accountId: string) => (await deployment.log.list(accountId, { limit: 1 })).items[0];

test.each<[string, Responder, object]>([
  ['text', says('received'), { failure: 'response', status: 200, fault: 'body' }],
  ['a list', says([]), { failure: 'response', status: 200, fault: 'body' }],
  ['nothing', says(''), { failure: 'response', status: 200, fault: 'body' }],
  ['no status', says({ decision: 'continue' }), { failure: 'response', status: 200, fault: 'status' }],
  ['another status', says({ status: 'ok' }), { failure: 'response', status: 200, fault: 'status' }],
  [
    'an unknown decision',
    says({ status: 'received', decision: 'allow' }),
    { failure: 'response', status: 200, fault: 'decision' },
  ],
  [
    'a redirect without an address',
    says({ status: 'received', decision: 'redirect' }),
    { failure: 'response', status: 200, fault: 'redirectUrl' },
  ],
  [
    'a redirect to http',
    says({ status: 'received', decision: 'redirect', redirectUrl: 'http://shop.example/' }),
    { failure: 'response', status: 200, fault: 'redirectUrl' },
  ],
  [
    'an address without a redirect',
    says({ status: 'received', redirectUrl: url }),
    { failure: 'response', status: 200, fault: 'redirectUrl' },
  ],
  ['status 500', status(500), { failure: 'status', status: 500 }],
  ['a closed connection', (response) => response.destroy(), { failure: 'connection' }],
  ['too much', says(`{"status":"received","x":"${'x'.repeat(5_000)}"}`), { failure: 'oversized' }],
])(
  'a response with %s refuses the session, and the log explains it without the response',
  async (_, respond, why) => {
    const accountId = await deployment.account();
    const { receiver } = await endpoint(accountId, respond, { onFailure: 'reject' });
    const event = await happen(deployment.redis, started(accountId));
    expect(await deployment.webhooks.sync.decide(event)).toEqual({ decision: 'reject' });
    const decision = { decision: 'reject', ...why };
    expect(await newest(accountId)).toMatchObject({ state: 'pending', attempts: 0, decision });
    for (const text of ['allow', 'shop.example', 'xxx'])
      expect(JSON.stringify(await newest(accountId))).not.toContain(text);
    // The event still arrives, and neither that nor a replay hides what happened.
    receiver.respond = accepts;
    deployment.webhooks.events.notify(accountId);
    const delivered = () =>
      until(
        () => newest(accountId),
        (record) => record?.state === 'delivered',
      );
    expect(await delivered()).toMatchObject({ attempts: 1, decision });
    expect((await delivered())?.history).toHaveLength(2);
    await deployment.deliveries.replay(accountId, { eventId: event.eventId });
    await receiver.count(3);
    expect(await delivered()).toMatchObject({ decision });
  },
);

test('the log has the decision of an endpoint that responds in the documented form', async () => {
  const accountId = await deployment.account();
  await endpoint(accountId, says({ status: 'received', decision: 'redirect', redirectUrl: url }));
  await deployment.webhooks.sync.decide(started(accountId));
  const record = await newest(accountId);
  expect(record).toMatchObject({ state: 'delivered', attempts: 1, status: 200 });
  expect(record?.decision).toEqual({ decision: 'redirect' });
});

test('a failure after the start changes no verdict', async () => {
  const accountId = await deployment.account();
  await endpoint(accountId, status(500), { onFailure: 'reject' });
  expect(await deployment.webhooks.sync.decide(completed(accountId))).toEqual({ decision: 'continue' });
  const decision = { decision: 'continue', failure: 'status', status: 500 };
  expect(await newest(accountId)).toMatchObject({ decision });
});

test.each(['gone', 'failing'] as const)(
  'an endpoint that is disabled because it is %s decides as it does when it fails',
  async (because) => {
    for (const onFailure of ['reject', 'continue'] as const) {
      const accountId = await deployment.account();
      const { endpoint: made, receiver } = await endpoint(accountId, accepts, { onFailure });
      await deployment.admin.disable(accountId, made.id, because);
      expect(await deployment.webhooks.sync.decide(started(accountId))).toEqual({ decision: onFailure });
      expect(receiver.all).toEqual([]);
      const record = await newest(accountId);
      if (onFailure === 'continue') expect(record).toBeUndefined();
      else {
        const decision = { decision: 'reject', failure: 'disabled' };
        expect(record).toMatchObject({ state: 'dead', attempts: 0, failure: 'disabled', decision });
      }
    }
  },
);

test('an acknowledged event stays delivered if the same event is asked about again and fails', async () => {
  const accountId = await deployment.account();
  const { receiver } = await endpoint(accountId, accepts, { onFailure: 'reject' });
  const event = started(accountId);
  await deployment.webhooks.sync.decide(event);
  receiver.respond = status(500);
  expect(await deployment.webhooks.sync.decide(event)).toEqual({ decision: 'reject' });
  expect(await newest(accountId)).toMatchObject({ state: 'delivered', decision: { decision: 'continue' } });
});
