/** Synchronous endpoints: their decisions, and what happens without one. */
import limits from '@presenza/contract/limits.json';
import { type RunningServer, startRedis } from '../../../deploy/local/harness/index.mjs';
import type { Decision } from '../../src/services/webhooks/events';
import { type Deployment, deploy, happen, newEvent, until } from './deployment';
import { type Answer, type Receiver, startReceiver, status, verified } from './receiver';

let server: RunningServer;
let one: Deployment;
const receivers: Receiver[] = [];

beforeAll(async () => {
  server = await startRedis();
  one = await deploy(server.url, { syncPatienceMs: 300 });
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((made) => made.close()));
});
afterAll(async () => {
  await one.stop();
  await server.stop();
});

const says =
  (answer: unknown): Answer =>
  (response) =>
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));

type Settings = Parameters<Deployment['endpoint']>[2];
const events = ['session.started', 'session.completed'];

async function endpoint(accountId: string, answer: Answer, settings: Settings = {}) {
  const made = await startReceiver(answer);
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
  ])('%s', async (_name, answer, atStart, atEnd) => {
    const accountId = await one.account();
    const { receiver, secret } = await endpoint(accountId, says(answer));
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

  test('of several: who rejects outweighs who redirects', async () => {
    const accountId = await one.account();
    await endpoint(accountId, says({ status: 'received' }));
    await endpoint(accountId, says({ status: 'received', decision: 'redirect', redirectUrl: url }));
    expect(await one.webhooks.sync.decide(started(accountId))).toEqual(redirect);
    await endpoint(accountId, says({ status: 'received', decision: 'reject' }));
    expect(await one.webhooks.sync.decide(started(accountId))).toEqual({ decision: 'reject' });
  });

  test('is nobody’s without an endpoint for the event, with a disabled one, and on a plan without', async () => {
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

test('an event that was answered is not sent again, unless an operator asks', async () => {
  const accountId = await one.account();
  const { receiver } = await endpoint(accountId, says({ status: 'received' }));
  const event = await happen(one.redis, started(accountId));
  await one.webhooks.sync.decide(event);
  one.webhooks.events.nudge(accountId);
  const { items } = await until(
    () => one.log.list(accountId, { limit: 5 }),
    (page) => page.items.length > 0,
  );
  expect(items).toMatchObject([{ eventId: event.eventId, state: 'delivered', attempts: 1 }]);
  // Its job waits for the answer that may come, and finds that it came.
  const gone = await until(
    () => one.registry.metrics(),
    (text) => /webhook_backlog 0\n/.test(text),
  );
  expect(gone).toBeDefined();
  expect(receiver.all).toHaveLength(1);
  await one.desk.replay(accountId, { eventId: event.eventId });
  await receiver.count(2);
});

describe('without an answer as it should be', () => {
  const drip: Answer = (response) => {
    response.write('{"status":');
  };
  test.each<[string, Answer, string]>([
    ['none in time', () => {}, 'timeout'],
    ['one that never ends', drip, 'timeout'],
    ['one that is too large', says(`{"status":"received","x":"${'x'.repeat(5_000)}"}`), 'oversized'],
    ['another status', status(500), '500'],
    ['a redirect', status(302, { location: 'http://127.0.0.1:1/' }), '302'],
    ['no JSON', says('received'), 'answer'],
    ['another word', says({ status: 'ok' }), 'answer'],
    [
      'an address that is not https',
      says({ status: 'received', decision: 'redirect', redirectUrl: 'http://a/' }),
      'answer',
    ],
    [
      'an address without a valid port',
      says({ status: 'received', decision: 'redirect', redirectUrl: 'https://shop.example:99999/' }),
      'answer',
    ],
    ['a lost connection', (response) => response.destroy(), 'connection'],
  ])(
    '%s: it is as the endpoint says, logged, and the event goes the other way',
    async (_name, answer, why) => {
      const accountId = await one.account();
      const lenient = await endpoint(accountId, answer);
      const event = started(accountId);
      const begin = performance.now();
      expect(await one.webhooks.sync.decide(event)).toEqual({ decision: 'continue' });
      expect(performance.now() - begin).toBeLessThan(1000 * limits.webhooks.syncDeadlineSeconds + 500);
      expect(one.lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({ eventId: event.eventId, why });
      for (const id of [accountId, event.sessionId]) expect(one.lines.join('')).not.toContain(id);
      await one.admin.update(accountId, lenient.endpoint.id, { onFailure: 'reject' });
      if (why === 'timeout') return;
      const next = await happen(one.redis, started(accountId));
      expect(await one.webhooks.sync.decide(next)).toEqual({ decision: 'reject' });
      lenient.receiver.answer = says({ status: 'received' });
      one.webhooks.events.nudge(accountId);
      const after = await lenient.receiver.count(3);
      expect(after[2]?.headers['webhook-id']).toBe(next.eventId);
    },
  );
});
