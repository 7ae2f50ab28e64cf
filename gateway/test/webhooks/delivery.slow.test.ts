/**
 * Deliveries from an account's outbox to real receivers with a real Redis.
 *
 * Slow: it waits for attempts that are repeated.
 */
import limits from '@presenza/contract/limits.json';
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import { outboxKey } from '../../src/stores/liveness/keys';
import { schemas } from '../contract';
import { type Deployment, deploy, happen, newEvent, scale, until } from './deployment';
import { type Receiver, received, startReceiver, status, verified } from './receiver';

let server: RunningServer;
let shared: Deployment;
const receivers: Receiver[] = [];

const receiver = async (...args: Parameters<typeof startReceiver>) => {
  const made = await startReceiver(...args);
  receivers.push(made);
  return made;
};
const result = { isLive: true, confidence: 0.97 };
const hourMs = 3_600_000;

beforeAll(async () => {
  server = await startRedis();
  shared = await deploy(server.url);
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((made) => made.close()));
});
afterAll(async () => {
  await shared.stop();
  await server.stop();
});

/** Resolves to the record of an event's only delivery once it has ended. */
const ended = (accountId: string, eventId: string, deployment = shared) =>
  until(
    async () => (await deployment.log.list(accountId, { limit: 1, eventId })).items[0],
    (record) => record !== undefined && record.state !== 'pending',
  );

test('delivers an event at once, valid by the schema, with both signatures, and clears the outbox', async () => {
  const other = await startRedis();
  // No poll runs during this test, so that only the notification can publish the event.
  const prompt = await deploy(other.url, { pollMs: hourMs });
  const accountId = await prompt.account();
  const target = await receiver();
  const { secret } = await prompt.endpoint(accountId, target.url);
  const event = newEvent(accountId);
  const match = { isMatch: true, similarity: 0.91, similarityThreshold: 0.8 };
  prompt.sessions.set(event.sessionId, { result, match, metadata: { userId: 'user-4711' } });
  await happen(prompt.redis, event);
  prompt.webhooks.events.notify(accountId);
  const [first] = await target.count(1);
  const body = verified(first!, secret);
  expect(schemas.validate('webhook-event.json', body)).toBe(true);
  expect(body).toEqual({
    eventType: 'session.completed',
    sessionId: event.sessionId,
    timestamp: '2026-01-15T10:30:34.912Z',
    livemode: true,
    result,
    match,
    metadata: { userId: 'user-4711' },
  });
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': event.eventId,
    'user-agent': expect.stringMatching(/^Presenza/),
    connection: 'close',
  });
  expect(await ended(accountId, event.eventId, prompt)).toMatchObject({
    state: 'delivered',
    attempts: 1,
    status: 200,
  });
  await until(
    () => prompt.redis.xlen(outboxKey(accountId)),
    (length) => length === 0,
  );
  await prompt.stop();
  await other.stop();
});

test('delivers only subscribed events, and a result only with session.completed', async () => {
  const accountId = await shared.account();
  const [some, all] = [await receiver(), await receiver()];
  await shared.endpoint(accountId, some.url, { events: ['session.failed'] });
  const { secret } = await shared.endpoint(accountId, all.url, {
    events: ['session.failed', 'session.started'],
  });
  const started = newEvent(accountId, { eventType: 'session.started' });
  const failed = newEvent(accountId, { eventType: 'session.failed' });
  for (const event of [started, failed]) {
    shared.sessions.set(event.sessionId, { result, metadata: { a: 1 } });
    await happen(shared.redis, event);
  }
  shared.webhooks.events.notify(accountId);
  await all.count(2);
  await some.count(1);
  for (const sent of all.all) {
    const body = verified(sent, secret);
    expect(schemas.validate('webhook-event.json', body)).toBe(true);
    expect(body).toMatchObject({ metadata: { a: 1 } });
    expect(body).not.toHaveProperty('result');
  }
  expect(some.all.map(({ headers }) => headers['webhook-id'])).toEqual([failed.eventId]);
});

test('delivers live and test events to the endpoints of their mode, and says which they are', async () => {
  const accountId = await shared.account();
  const [live, forTest, both] = [await receiver(), await receiver(), await receiver()];
  await shared.endpoint(accountId, live.url, { mode: 'live' });
  await shared.endpoint(accountId, forTest.url, { mode: 'test' });
  await shared.endpoint(accountId, both.url);
  for (const mode of ['live', 'test'] as const) await happen(shared.redis, newEvent(accountId, { mode }));
  shared.webhooks.events.notify(accountId);
  await Promise.all([live.count(1), forTest.count(1), both.count(2)]);
  const modesOf = ({ all }: Receiver) => all.map(({ body }) => JSON.parse(body).livemode).sort();
  expect([live, forTest, both].map(modesOf)).toEqual([[true], [false], [false, true]]);
  const eventId = String(forTest.all[0]?.headers['webhook-id']);
  await shared.deliveries.replay(accountId, { eventId });
  shared.webhooks.events.notify(accountId);
  const [[first, replayed]] = await Promise.all([forTest.count(2), both.count(3)]);
  expect(replayed?.body).toBe(first?.body);
});

test('delivers the event of an erased session without its data', async () => {
  const accountId = await shared.account();
  const target = await receiver();
  const { secret } = await shared.endpoint(accountId, target.url);
  const { sessionId } = await happen(shared.redis, newEvent(accountId));
  shared.webhooks.events.notify(accountId);
  const [first] = await target.count(1);
  const body = verified(first!, secret);
  expect(body).toEqual({
    eventType: 'session.completed',
    sessionId,
    timestamp: expect.any(String),
    livemode: true,
  });
  expect(schemas.validate('webhook-event.json', body)).toBe(true);
});

test('publishes an event without notification at the next poll', async () => {
  const accountId = await shared.account();
  const target = await receiver();
  await shared.endpoint(accountId, target.url);
  const { eventId } = await happen(shared.redis, newEvent(accountId));
  const [first] = await target.count(1);
  expect(first?.headers['webhook-id']).toBe(eventId);
});

describe('a receiver that is unavailable', () => {
  test('for hours gets the same bytes by the schedule once it is back', async () => {
    const accountId = await shared.account();
    const downFor = 6;
    const target = await receiver((response, sent, index) =>
      (index < downFor ? status(503) : received)(response, sent, index),
    );
    const { secret } = await shared.endpoint(accountId, target.url);
    const event = newEvent(accountId);
    shared.sessions.set(event.sessionId, { result, metadata: { b: 2, a: 1 } });
    shared.waits.length = 0;
    await happen(shared.redis, event);
    shared.webhooks.events.notify(accountId);
    const sent = await target.count(downFor + 1);
    expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.eventId]));
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    for (const each of sent) verified(each, secret);
    const { retryDelaysSeconds, retryJitter } = limits.webhooks;
    expect(shared.waits).toHaveLength(downFor);
    for (const [i, ms] of shared.waits.entries()) {
      const planned = 1000 * (retryDelaysSeconds[i + 1] as number);
      expect(ms).toBeGreaterThanOrEqual(planned * (1 - retryJitter));
      expect(ms).toBeLessThanOrEqual(planned * (1 + retryJitter));
      // The delays follow the schedule at the scale of this test.
      expect(sent[i + 1]!.at - sent[i]!.at).toBeGreaterThanOrEqual(Math.floor(ms / scale) - 2);
    }
    const { id } = (await ended(accountId, event.eventId))!;
    const { record, payload } = await shared.deliveries.explain(accountId, id);
    expect(record).toMatchObject({ state: 'delivered', attempts: downFor + 1 });
    expect(record.history?.map(({ status }) => status)).toEqual([...Array(downFor).fill(503), 200]);
    expect(JSON.stringify(payload)).toBe(sent[0]?.body);
    shared.sessions.delete(event.sessionId);
    const erased = await shared.deliveries.explain(accountId, id);
    expect(erased.payload).toEqual({
      eventType: 'session.completed',
      sessionId: event.sessionId,
      timestamp: payload.timestamp,
      livemode: true,
    });
  });

  test('for good leads to a dead letter, which a replay delivers under its id', async () => {
    const accountId = await shared.account();
    const target = await receiver(status(500));
    await shared.endpoint(accountId, target.url);
    const { eventId } = await happen(shared.redis, newEvent(accountId));
    shared.webhooks.events.notify(accountId);
    const attempts = limits.webhooks.retryDelaysSeconds.length;
    const record = await ended(accountId, eventId);
    expect(record).toMatchObject({ state: 'dead', attempts, status: 500 });
    expect(target.all).toHaveLength(attempts);
    expect((await shared.deliveries.list(accountId, { limit: 10, dead: true })).items).toEqual([record]);
    const metrics = await until(
      () => shared.registry.metrics(),
      (text) => !/webhook_dead_letters 0/.test(text),
    );
    expect(metrics).toMatch(/webhook_dead_letters 1\n/);

    target.respond = received;
    expect(await shared.deliveries.replay(accountId, { since: 0 })).toBe(1);
    await target.count(attempts + 1);
    expect(target.all.at(-1)?.headers['webhook-id']).toBe(eventId);
    const replayed = await ended(accountId, eventId);
    expect(replayed).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(replayed?.history).toHaveLength(attempts + 1);
    expect((await shared.deliveries.list(accountId, { limit: 10, dead: true })).items).toEqual([]);
    // Operators may replay a delivered event.
    expect(await shared.deliveries.replay(accountId, { deliveryId: record!.id })).toBe(1);
    await target.count(attempts + 2);
    expect(await shared.deliveries.replay(accountId, { eventId: 'evt_none' })).toBe(0);
    await expect(shared.deliveries.replay(accountId, { deliveryId: 'none' })).rejects.toThrow(
      'has no delivery none',
    );
  });
});

describe('a rejection', () => {
  test.each([301, 302, 307, 308, 304, 400, 401])(
    'with %i leads to a retry, and redirects are not followed',
    async (code) => {
      const accountId = await shared.account();
      const elsewhere = await receiver();
      const target = await receiver((response, sent, index) =>
        (index === 0 ? status(code, { location: elsewhere.url }) : received)(response, sent, index),
      );
      await shared.endpoint(accountId, target.url);
      const { eventId } = await happen(shared.redis, newEvent(accountId));
      shared.webhooks.events.notify(accountId);
      expect(await ended(accountId, eventId)).toMatchObject({ state: 'delivered', attempts: 2 });
      expect(elsewhere.all).toEqual([]);
    },
  );

  test('with 410 disables the endpoint in the audit log, and later events are dead letters', async () => {
    const accountId = await shared.account();
    const target = await receiver(status(410));
    const { endpoint } = await shared.endpoint(accountId, target.url);
    const first = await happen(shared.redis, newEvent(accountId));
    shared.webhooks.events.notify(accountId);
    expect(await ended(accountId, first.eventId)).toMatchObject({ state: 'dead', attempts: 1, status: 410 });
    const [kept] = await shared.admin.list(accountId);
    expect(kept?.disabled).toMatchObject({ because: 'gone' });
    const entries = await shared.redis.xrevrange('presenza:audit:accounts', '+', '-', 'COUNT', 2);
    const subject = {
      actor: 'gateway',
      operation: 'webhooks disable',
      accountId,
      ids: { webhook: endpoint.id },
    };
    expect(entries.map(([, [, text]]) => JSON.parse(text as string))).toEqual(
      ['done', 'begun'].map((outcome) => ({ ...subject, outcome, changes: { because: 'gone' } })),
    );
    expect(await shared.registry.metrics()).toContain(
      'presenza_gateway_webhook_endpoints_disabled_total{because="gone"} 1\n',
    );
    await shared.admin.enable(accountId, endpoint.id);
    target.respond = received;
    await shared.deliveries.replay(accountId, { since: 0 });
    await target.count(2);
  });

  test('with Retry-After lengthens the delay up to a day and never shortens it', async () => {
    const accountId = await shared.account();
    const waits: (string | undefined)[] = ['86400', '999999999', '0', undefined];
    const target = await receiver((response, sent, index) => {
      const retryAfter = waits[index];
      if (index >= waits.length) return received(response, sent, index);
      status(index % 2 ? 503 : 429, retryAfter === undefined ? {} : { 'retry-after': retryAfter })(
        response,
        sent,
        index,
      );
    });
    await shared.endpoint(accountId, target.url);
    shared.waits.length = 0;
    await happen(shared.redis, newEvent(accountId));
    shared.webhooks.events.notify(accountId);
    await target.count(waits.length + 1);
    const day = 86_400_000;
    expect(shared.waits.slice(0, 2)).toEqual([day, day]);
    expect(shared.waits[2]).toBeGreaterThanOrEqual(1_800_000 * 0.8);
    expect(shared.waits[2]).toBeLessThanOrEqual(1_800_000 * 1.2);
  });
});

test('accepts the status of a response with an endless body', async () => {
  const accountId = await shared.account();
  let written = 0;
  const target = await receiver((response) => {
    const more = () => {
      while (!response.destroyed && written < 2 ** 28) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) return response.once('drain', more);
      }
      return undefined;
    };
    more();
  });
  await shared.endpoint(accountId, target.url);
  const { eventId } = await happen(shared.redis, newEvent(accountId));
  shared.webhooks.events.notify(accountId);
  expect(await ended(accountId, eventId)).toMatchObject({ state: 'delivered', attempts: 1 });
  // The capacity of the buffers of two sockets.
  expect(written).toBeLessThan(2 ** 25);
});

test('retries after a receiver switches protocols or hangs up', async () => {
  const accountId = await shared.account();
  const target = await receiver((response, _received, index) => {
    if (index > 0) return response.end();
    response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    return undefined;
  });
  await shared.endpoint(accountId, target.url);
  const { eventId } = await happen(shared.redis, newEvent(accountId));
  shared.webhooks.events.notify(accountId);
  expect(await ended(accountId, eventId)).toMatchObject({ state: 'delivered', attempts: 2 });
});

test('lets a slow receiver occupy four attempts without delaying others', async () => {
  const accountId = await shared.account();
  const release: (() => void)[] = [];
  let held = 0;
  let mostHeld = 0;
  const slow = await receiver((response) => {
    mostHeld = Math.max(mostHeld, ++held);
    response.once('close', () => held--);
    release.push(() => response.end('{}'));
  });
  const quick = await receiver();
  await shared.endpoint(accountId, slow.url);
  await shared.endpoint(accountId, quick.url);
  const events = await Promise.all(
    Array.from({ length: 40 }, () => happen(shared.redis, newEvent(accountId))),
  );
  shared.webhooks.events.notify(accountId);
  await quick.count(events.length);
  // On a busy machine, attempts time out and others follow.
  expect(mostHeld).toBe(4);
  slow.respond = received;
  for (const free of release) free();
  await slow.count(events.length);
  expect(new Set(slow.all.map(({ headers }) => headers['webhook-id'])).size).toBe(events.length);
});

test('disables an endpoint that only fails for days', async () => {
  const other = await startRedis();
  const impatient = await deploy(other.url, { disableAfterMs: 300 });
  const accountId = await impatient.account();
  const target = await receiver(status(500));
  const { endpoint } = await impatient.endpoint(accountId, target.url);
  await happen(impatient.redis, newEvent(accountId));
  impatient.webhooks.events.notify(accountId);
  await until(
    () => impatient.admin.list(accountId),
    ([kept]) => kept?.disabled?.because === 'failing',
  );
  // Later events and waiting retries are logged as disabled.
  const later = await happen(impatient.redis, newEvent(accountId));
  impatient.webhooks.events.notify(accountId);
  await until(
    () => impatient.redis.xlen(outboxKey(accountId)),
    (length) => length === 0,
  );
  expect((await impatient.log.list(accountId, { limit: 5, eventId: later.eventId })).items).toEqual([]);
  await impatient.admin.enable(accountId, endpoint.id);
  target.respond = received;
  const last = await happen(impatient.redis, newEvent(accountId));
  impatient.webhooks.events.notify(accountId);
  expect(await ended(accountId, last.eventId, impatient)).toMatchObject({ state: 'delivered' });
  await impatient.stop();
  await other.stop();
});

test('drops the deliveries of a deleted endpoint', async () => {
  const accountId = await shared.account();
  const target = await receiver(status(500));
  const { endpoint } = await shared.endpoint(accountId, target.url);
  const { eventId } = await happen(shared.redis, newEvent(accountId));
  shared.webhooks.events.notify(accountId);
  await target.count(1);
  await shared.admin.remove(accountId, endpoint.id);
  expect(await ended(accountId, eventId)).toMatchObject({ state: 'dropped' });
});

test('delivers an event once that two gateways publish', async () => {
  const two = await deploy(server.url);
  const accountId = await shared.account();
  const target = await receiver();
  await shared.endpoint(accountId, target.url);
  const events = await Promise.all(
    Array.from({ length: 30 }, () => happen(shared.redis, newEvent(accountId))),
  );
  for (const { webhooks } of [shared, two]) webhooks.events.notify(accountId);
  await target.count(events.length);
  await until(
    () => shared.redis.xlen(outboxKey(accountId)),
    (length) => length === 0,
  );
  // Simulates a publisher that dies between the queue and the outbox, twice.
  for (const event of events) await happen(shared.redis, event);
  two.webhooks.events.notify(accountId);
  await until(
    () => shared.redis.xlen(outboxKey(accountId)),
    (length) => length === 0,
  );
  await two.stop();
  expect(target.all).toHaveLength(events.length);
});

test('exports outcomes and the backlog as metrics without identifiers', async () => {
  const text = await shared.registry.metrics();
  expect(text).toMatch(/webhook_attempts_total\{outcome="delivered"\} \d+/);
  expect(text).toMatch(/webhook_attempt_seconds_count\{outcome="failed"\} \d+/);
  expect(text).toMatch(/webhook_backlog \d+/);
  expect(text).toMatch(/webhook_oldest_waiting_seconds \d/);
  expect(text).not.toMatch(/acc_|wh_|evt_|ses_/);
});

test('logs no address of a receiver, secret or metadata', () => {
  expect(shared.lines.join('')).not.toMatch(/whsec_|127\.0\.0\.1|userId/);
});
