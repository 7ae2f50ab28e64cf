/**
 * The store of liveness sessions on a single Redis and on a cluster of three: every transition from every status, with its
 * unit, its event and the data that it erases.
 */
import { randomUUID } from 'node:crypto';
import type { Principal } from '../../src/services/keys/keys';
import type { SessionRecord } from '../../src/services/liveness/session/session';
import {
  addressOf,
  type Changed,
  type NewSession,
  type SessionAddress,
} from '../../src/services/liveness/session/session-store';
import {
  isFinal,
  type SessionStatus,
  statuses,
  type Transition,
  type TransitionName,
  transitions,
} from '../../src/services/liveness/session/states';
import type { Idempotency } from '../../src/services/metering/metering-store';
import { monthOf } from '../../src/services/metering/months';
import { dueKey, heldKey, outboxKey, sessionKeys, sessionsKey } from '../../src/stores/liveness/keys';
import { RedisEventStore } from '../../src/stores/liveness/redis-event-store';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import type { RedisClient } from '../../src/stores/redis';
import { RedisMeter } from '../../src/stores/redis-meter';
import { RedisUsage } from '../../src/stores/redis-usage';
import { describeOnEachRedis } from '../each-redis';
import { createSession, creationOf, hour, newPrincipal, reserveUnit } from './stored-session';

type Name = Exclude<TransitionName, 'takeOverCheck'>;
/** A time that has passed. */
const over = -1;
/** The store's `beginCheck` also takes over checks. */
const names = (Object.keys(transitions) as TransitionName[]).filter(
  (name) => name !== 'takeOverCheck',
) as Name[];
const attemptId = 'att_1';

describeOnEachRedis((connection) => {
  let redis: RedisClient;
  let meter: RedisMeter;
  let usage: RedisUsage;
  let store: RedisSessionStore;
  let principal: Principal;

  beforeAll(() => {
    redis = connection();
    meter = new RedisMeter(redis);
    usage = new RedisUsage(redis);
    store = new RedisSessionStore(redis);
  });
  beforeEach(() => {
    principal = newPrincipal();
  });

  const reserved = (idempotency?: Idempotency) => reserveUnit(redis, principal, idempotency);
  const creation = (operation: string) => creationOf(principal, operation);
  const created = (more?: Partial<NewSession>) => createSession(redis, principal, more);

  const event = () => `evt_${randomUUID()}`;
  const attempt = { attemptId, device: 'hash', maxBegun: 10, fields: { id: attemptId } };
  const judgment = (address: SessionAddress) => ({
    ...address,
    attemptId,
    explanation: 'sealed explanation',
  });
  const check = (leaseMs = hour) => ({ attemptId, checker: randomUUID(), leaseMs });

  /** Each transition as a call of the store. */
  const changes: Record<Name, (address: SessionAddress) => Promise<Changed | undefined>> = {
    start: async (address) => {
      const started = await store.start(address, event());
      if (started?.changed) await store.clearUndecided(address);
      return started;
    },
    beginAttempt: (address) => store.beginAttempt(address, attempt),
    beginCheck: (address) => store.beginCheck(address, check()),
    retry: (address) => store.retry(judgment(address)),
    complete: (address) =>
      store.finish({ ...judgment(address), status: 'completed', outcome: 'sealed', eventId: event() }),
    fail: (address) =>
      store.finish({ ...judgment(address), status: 'failed', outcome: 'sealed', eventId: event() }),
    leave: (address) => store.leave(address, hour),
    rejoin: (address) => store.rejoin(address),
    abandon: (address) => store.abandon(address, event()),
    cancel: (address) => store.cancel(address, event()),
    expire: (address) => store.expire(address, event()),
  };
  /** The transitions that lead to each status. */
  const ways: Record<SessionStatus, readonly Name[]> = {
    created: [],
    started: ['start', 'beginAttempt'],
    checking: ['start', 'beginAttempt', 'beginCheck'],
    completed: ['start', 'beginAttempt', 'beginCheck', 'complete'],
    failed: ['start', 'beginAttempt', 'beginCheck', 'fail'],
    cancelled: ['cancel'],
    expired: ['expire'],
  };

  async function sessionThatIs(status: SessionStatus): Promise<SessionAddress> {
    const address = await created({ lifetimeMs: status === 'expired' ? over : hour });
    for (const way of ways[status]) expect(await changes[way](address)).toMatchObject({ changed: true });
    return address;
  }

  const eventsOf = async (accountId: string) =>
    (await redis.xrange(outboxKey(accountId), '-', '+')).map(([, fields]) => fields[5]);
  const unitsOf = async (accountId: string) => {
    const { used, reserved: held } = await usage.readMonth(accountId, 'live', monthOf(Date.now()));
    return { used: used.livenessDetection, reserved: held.livenessDetection };
  };

  test.each(statuses)('allows exactly the listed transitions from %s', async (from) => {
    for (const name of names) {
      const { from: allowed, to, event: announced, unit }: Transition = transitions[name];
      const address = await sessionThatIs(from);
      const { accountId } = address;
      const before = { events: await eventsOf(accountId), units: await unitsOf(accountId) };
      // Other tests cover the transitions that depend on time.
      const isListed = allowed.includes(from) && name !== 'expire' && name !== 'abandon';
      const after = await changes[name](address);
      expect([name, after?.changed]).toEqual([name, isListed]);
      expect(after?.session.status).toBe(isListed ? to : from);
      expect(await eventsOf(accountId)).toEqual([
        ...before.events,
        ...(isListed && announced ? [announced] : []),
      ]);
      const settled = isListed ? unit : undefined;
      expect(await unitsOf(accountId)).toEqual({
        used: before.units.used + (settled === 'commit' ? 1 : 0),
        reserved: before.units.reserved - (settled ? 1 : 0),
      });
      // Another session of the same account has its own unit.
      principal = newPrincipal();
    }
  });

  test('lists the event of a change once, even if the change is sent twice', async () => {
    const address = await sessionThatIs('started');
    const eventId = event();
    await store.cancel(address, eventId);
    await store.cancel(address, eventId);
    const events = new RedisEventStore(redis);
    const { items, next } = await events.list(address.accountId, { limit: 10, mode: 'live' });
    expect(items.map(({ eventType }) => eventType).sort()).toEqual(['session.cancelled', 'session.started']);
    expect(next).toBeUndefined();
    const cancelled = { ...address, eventId, eventType: 'session.cancelled', mode: 'live' };
    expect(await events.find(address.accountId, eventId)).toEqual({
      ...cancelled,
      timestamp: expect.any(Number),
    });
    expect(await events.list(address.accountId, { limit: 10, mode: 'test' })).toEqual({ items: [] });
  });

  test.each(statuses)('erases a session that is %s, except during a check', async (from) => {
    const address = await sessionThatIs(from);
    const units = await unitsOf(address.accountId);
    const erased = await store.erase(address, event());
    expect(erased).toEqual({ erased: from !== 'checking', status: from });
    if (from === 'checking') return expect(await store.find(address)).toBeDefined();
    expect(await store.find(address)).toBeUndefined();
    expect(await redis.exists(...Object.values(sessionKeys(address)))).toBe(0);
    expect(await redis.zscore(dueKey(address.accountId), address.sessionId)).toBeNull();
    expect(await store.list(address.accountId, { limit: 10 })).toEqual({ items: [] });
    expect(await unitsOf(address.accountId)).toEqual({ used: units.used, reserved: 0 });
    const events = await eventsOf(address.accountId);
    expect(events.includes('session.cancelled')).toBe(!isFinal(from) || from === 'cancelled');
    expect(await store.erase(address, event())).toBeUndefined();
  });

  test('reads a session as it was created', async () => {
    const address = await created({ maxAttempts: 2 });
    const session = await store.find(address);
    expect(session).toMatchObject({
      id: address.sessionId,
      accountId: address.accountId,
      status: 'created',
      mode: 'live',
      keyId: 'key_1',
      maxAttempts: 2,
      begun: 0,
      spent: 0,
      failures: 0,
      hasReference: true,
      dataKey: 'sealed key',
      details: 'sealed details',
    });
    const { createdAt = 0, expiresAt, dataExpiresAt } = session ?? {};
    expect([expiresAt, dataExpiresAt]).toEqual([createdAt + hour, createdAt + 2 * hour]);
    expect(await store.findReference(address)).toEqual(Buffer.from([0, 255, 1, 254]));
    expect(await redis.pttl(sessionKeys(address).session)).toBeGreaterThan(hour);
    expect(await store.find({ ...address, accountId: 'acc_other' })).toBeUndefined();
  });

  test('takes over the unit of the request, without counting as running', async () => {
    principal = { ...principal, terms: { ...principal.terms, concurrency: 1 } };
    const admissionId = await reserved();
    await store.create(creation(admissionId));
    const { accountId, mode } = principal;
    const end = { accountId, mode, admissionId, operations: 1, commits: [], refunds: [0], ends: true };
    await meter.settle(end);
    expect(await unitsOf(accountId)).toEqual({ used: 0, reserved: 1 });
    // The next request still fits a concurrency of one.
    await store.create(creation(await reserved()));
    expect(await unitsOf(accountId)).toEqual({ used: 0, reserved: 2 });
  });

  test('applies a script that runs twice once, with the same reply', async () => {
    const wanted = creation(await reserved());
    const [first, again] = [await store.create(wanted), await store.create(wanted)];
    expect(again).toEqual(first);
    const address = addressOf(wanted.session);
    const twice = async (change: () => Promise<Changed | undefined>) => {
      const [first, other] = [await change(), await change()];
      expect(first?.changed).toBe(true);
      expect(other).toEqual(first);
    };
    const [start, checker, finish] = [event(), check(), event()];
    await twice(() => store.start(address, start));
    await store.clearUndecided(address);
    await twice(() => store.beginAttempt(address, attempt));
    await twice(() => store.beginCheck(address, checker));
    await twice(() =>
      store.finish({ ...judgment(address), status: 'failed', outcome: 'sealed', eventId: finish }),
    );
    expect(await eventsOf(address.accountId)).toEqual(['session.started', 'session.failed']);
    expect(await unitsOf(address.accountId)).toEqual({ used: 1, reserved: 0 });
    expect(await store.find(address)).toMatchObject({ begun: 1, failures: 1 });
  });

  test('begins no attempt while webhooks decide', async () => {
    const address = await created();
    const id = event();
    expect((await store.start(address, id))?.session.undecided).toBe(id);
    expect(await store.beginAttempt(address, attempt)).toMatchObject({ changed: false });
    await store.clearUndecided(address);
    expect(await store.beginAttempt(address, attempt)).toMatchObject({ changed: true });
    expect((await store.find(address))?.undecided).toBeUndefined();
  });

  test('expires a stuck check minutes after its session, and lets the account erase it before', async () => {
    const long = 6 * 60_000;
    const stuckCheck = async (lifetimeMs: number, leaseMs: number) => {
      const address = await sessionThatIs('started');
      await store.beginAttempt(address, attempt);
      await store.beginCheck(address, check(leaseMs));
      await redis.hset(sessionKeys(address).session, 'expiresAt', Date.now() + lifetimeMs);
      return address;
    };
    expect(await store.expire(await stuckCheck(over, over), event())).toMatchObject({ changed: false });
    expect(await store.expire(await stuckCheck(-long, hour), event())).toMatchObject({ changed: false });
    const late = await stuckCheck(-long, over);
    expect(await store.expire(late, event())).toMatchObject({
      changed: true,
      session: { status: 'expired' },
    });
    expect((await eventsOf(late.accountId)).at(-1)).toBe('session.expired');
    const erased = await stuckCheck(hour, over);
    expect(await store.erase(erased, event())).toEqual({ erased: true, status: 'checking' });
  });

  test('writes one event for fifty concurrent starts', async () => {
    const address = await created();
    const starts = await Promise.all(Array.from({ length: 50 }, () => store.start(address, event())));
    expect(starts.filter((start) => start?.changed)).toHaveLength(1);
    expect(starts.every((start) => start?.session.status === 'started')).toBe(true);
    expect(await eventsOf(address.accountId)).toEqual(['session.started']);
  });

  test('creates one session per idempotency key, even after it is erased', async () => {
    const idempotency = { key: 'k', fingerprint: 'f' };
    const first = { ...creation(await reserved(idempotency)), idempotency };
    const made = (await store.create(first)) as { session: SessionRecord };
    const { accountId, id } = first.session;
    const earlier = { sessionId: id, expiresAt: made.session.expiresAt };
    expect(await store.findCreated(accountId, 'live', 'k')).toEqual({ fingerprint: 'f', ...earlier });
    expect(await store.findCreated(accountId, 'test', 'k')).toBeUndefined();
    expect(await store.findCreated(accountId, 'live', 'other')).toBeUndefined();
    const second = { ...creation(await reserved(idempotency)), idempotency };
    expect(await store.create(second)).toEqual({ outcome: 'repeated', earlier });
    await store.erase({ accountId, sessionId: id }, event());
    expect(await store.create(second)).toEqual({ outcome: 'repeated', earlier });
  });

  test('abandons a session only if the user left and did not return', async () => {
    const address = await sessionThatIs('started');
    const due = () => redis.zscore(dueKey(address.accountId), address.sessionId).then(Number);
    const { expiresAt } = (await store.find(address)) as SessionRecord;
    expect(await store.abandon(address, event())).toMatchObject({ changed: false });
    const left = await store.leave(address, hour / 2);
    expect(await due()).toBe(left?.session.leaveAt);
    expect(left?.session.leaveAt).toBeLessThan(expiresAt);
    expect(await store.abandon(address, event())).toMatchObject({ changed: false });
    expect((await store.rejoin(address))?.session.leaveAt).toBeUndefined();
    expect(await due()).toBe(expiresAt);
    await store.leave(address, 2 * hour);
    expect(await due()).toBe(expiresAt);
    await store.beginAttempt(address, attempt);
    expect((await store.find(address))?.leaveAt).toBeUndefined();
    await store.leave(address, over);
    expect(await store.abandon(address, event())).toMatchObject({
      changed: true,
      session: { status: 'cancelled' },
    });
    expect(await eventsOf(address.accountId)).toEqual(['session.started', 'session.cancelled']);
    expect(await unitsOf(address.accountId)).toEqual({ used: 0, reserved: 0 });
  });

  test('limits open sessions and requires a reserved unit', async () => {
    const address = await created();
    const operation = await reserved();
    expect(await store.create({ ...creation(operation), maxOpen: 1 })).toEqual({ outcome: 'full' });
    await changes.cancel(address);
    expect(await store.create({ ...creation(operation), maxOpen: 1 })).toMatchObject({ outcome: 'created' });
    expect(await store.create(creation('unknown'))).toEqual({ outcome: 'unreserved' });
  });

  describe('the memory of an account’s sessions', () => {
    const reference = Buffer.alloc(10_000);
    const totalOf = async (accountId: string) => Number(await redis.hget(heldKey(accountId), 'total'));
    const create = async (maxBytes: number, more: Partial<NewSession> = {}) =>
      store.create({ ...creationOf(principal, await reserved(), { reference, ...more }), maxBytes });

    test('is limited: images of open sessions and records of ended ones', async () => {
      const maxBytes = 30_000;
      const { accountId } = principal;
      const first = await created({ reference });
      expect(await create(maxBytes)).toMatchObject({ outcome: 'created' });
      expect(await create(maxBytes)).toEqual({ outcome: 'overBytes' });
      await changes.cancel(first);
      expect(await create(maxBytes)).toMatchObject({ outcome: 'created' });
      expect(await create(maxBytes)).toEqual({ outcome: 'overBytes' });
      const none = { reference: Buffer.alloc(0) };
      let ended = 0;
      for (
        let made = await create(maxBytes, none);
        made.outcome === 'created';
        made = await create(maxBytes, none)
      ) {
        await changes.cancel(addressOf(made.session));
        ended++;
      }
      expect(ended).toBeGreaterThan(0);
      expect(await totalOf(accountId)).toBeLessThanOrEqual(maxBytes);
      expect(await unitsOf(accountId)).toMatchObject({ used: 0 });
      for (const { id } of (await store.list(accountId, { limit: 100 })).items) {
        await store.erase({ accountId, sessionId: id }, event());
      }
      expect(await redis.hgetall(heldKey(accountId))).toEqual({ total: '0', most: String(maxBytes) });
    });

    test('excludes sessions that Redis expired', async () => {
      const { accountId, sessionId } = await created({ reference });
      const total = await totalOf(accountId);
      await redis.del(...Object.values(sessionKeys({ accountId, sessionId })));
      await redis.zadd(sessionsKey(accountId), 'XX', Date.now() - 3 * hour, sessionId);
      await created({ reference });
      expect(await totalOf(accountId)).toBe(total);
      // A later sweep of the expired session refunds nothing twice.
      expect(await changes.expire({ accountId, sessionId })).toBeUndefined();
      expect(await totalOf(accountId)).toBe(total);
      expect(await redis.pttl(heldKey(accountId))).toBeGreaterThan(hour);
    });

    test.each(statuses)('is computed anew with every change up to %s', async (status) => {
      const { accountId, sessionId } = await sessionThatIs(status);
      const { session, reference } = sessionKeys({ accountId, sessionId });
      const sealed = ['details', 'explanation'].map((field) => redis.hstrlen(session, field));
      const bytes = await Promise.all([...sealed, redis.strlen(reference)]);
      const held = await redis.hget(heldKey(accountId), sessionId).then(Number);
      expect(held).toBe(2_048 + bytes.reduce((sum, size) => sum + size, 0));
      expect(await totalOf(accountId)).toBe(held);
    });
  });

  test('refuses an attempt over the limit and changes about another attempt', async () => {
    const address = await sessionThatIs('started');
    expect(await store.beginAttempt(address, { ...attempt, attemptId: 'att_2', maxBegun: 1 })).toMatchObject({
      changed: false,
    });
    const other = { ...check(), attemptId: 'att_0' };
    expect(await store.beginCheck(address, other)).toMatchObject({ changed: false });
    await store.beginCheck(address, check());
    expect(await store.retry({ ...judgment(address), attemptId: 'att_0' })).toMatchObject({
      changed: false,
    });
  });

  test('erases a replaced attempt, and keeps only the explanation of a checked one', async () => {
    const address = await sessionThatIs('started');
    const { attempt: attemptKey, frames } = sessionKeys(address);
    await redis.hset(frames, '1', 'sealed');
    const next = { ...attempt, attemptId: 'att_2', fields: { id: 'att_2', movements: 'left' } };
    expect(await store.beginAttempt(address, next)).toMatchObject({
      session: { attemptId: 'att_2', begun: 2 },
    });
    expect(await redis.hgetall(attemptKey)).toEqual({ id: 'att_2', movements: 'left' });
    expect(await redis.exists(frames)).toBe(0);
    await redis.hset(frames, '1', 'sealed');
    await store.beginCheck(address, { ...check(), attemptId: 'att_2' });
    await store.retry({ ...judgment(address), attemptId: 'att_2' });
    const session = await store.find(address);
    expect(session).toMatchObject({
      status: 'started',
      failures: 1,
      explanation: 'sealed explanation',
    });
    expect(session?.attemptId).toBeUndefined();
    expect(await redis.exists(attemptKey, frames)).toBe(0);
    // Later attempts still need the reference image.
    expect(await store.findReference(address)).toBeDefined();
    await changes.cancel(address);
    expect(await store.findReference(address)).toBeUndefined();
  });

  test('takes over a check only once its lease has ended', async () => {
    const address = await sessionThatIs('started');
    await store.beginCheck(address, check(hour));
    expect(await store.beginCheck(address, check())).toMatchObject({ changed: false });
    const late = await sessionThatIs('started');
    await store.beginCheck(late, check(over));
    const taken = await store.beginCheck(late, check());
    expect(taken).toMatchObject({ changed: true, session: { status: 'checking' } });
  });

  /** A session that has started and expires soon. On a busy machine, the first ones may expire before their start. */
  async function startedBriefly() {
    for (let lifetimeMs = 30; ; lifetimeMs *= 2) {
      const address = await created({ lifetimeMs });
      if ((await changes.start(address))?.changed) return address;
      await changes.expire(address);
    }
  }

  test.each(['created', 'started'] as const)(
    'expires a session that is %s once its time has passed',
    async (from) => {
      const address = from === 'created' ? await created({ lifetimeMs: over }) : await startedBriefly();
      const before = await store.find(address);
      while (serverTime(await redis.time()) < (before?.expiresAt ?? 0));
      for (const name of ['start', 'beginAttempt', 'cancel'] as const) {
        expect(await changes[name](address)).toMatchObject({ changed: false, session: { status: from } });
      }
      expect(await dueOf(address.accountId)).toEqual([address.sessionId]);
      expect(await changes.expire(address)).toMatchObject({ changed: true, session: { status: 'expired' } });
      expect((await eventsOf(address.accountId)).at(-1)).toBe('session.expired');
      expect(await unitsOf(address.accountId)).toEqual({ used: 0, reserved: 0 });
      expect(await dueOf(address.accountId)).toEqual([]);
    },
  );

  test('refunds the unit of a session that Redis expired before its end', async () => {
    const address = await created({ lifetimeMs: over });
    await redis.del(sessionKeys(address).session);
    expect(await changes.expire(address)).toBeUndefined();
    expect(await dueOf(address.accountId)).toEqual([]);
    expect(await unitsOf(address.accountId)).toEqual({ used: 0, reserved: 0 });
  });

  async function dueOf(accountId: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const session of store.due()) if (session.accountId === accountId) ids.push(session.sessionId);
    return ids;
  }
});

const serverTime = ([seconds, micros]: readonly (string | number)[]) =>
  Number(seconds) * 1_000 + Number(micros) / 1_000;
