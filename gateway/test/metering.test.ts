/** The store of metering, on a single Redis and on a cluster of three: the same scripts, the same responses. */
import { randomUUID } from 'node:crypto';
import { Vault } from '../src/crypto/vault';
import type { Principal } from '../src/services/keys/keys';
import {
  type AdmissionRequest,
  type ItemState,
  type LateCommit,
  type Reservation,
  StoreEmpty,
  StoreUnavailable,
} from '../src/services/metering/metering-store';
import type { LedgerEntry } from '../src/services/metering/usage';
import { type PlanTier, termsOf } from '../src/services/plans/terms';
import { accountKey, accountsKey, recordKey } from '../src/stores/account-key';
import { RedisErasures } from '../src/stores/accounts/redis-erasures';
import { meterKeys } from '../src/stores/meter-scripts';
import type { RedisClient } from '../src/stores/redis';
import { RedisMeter } from '../src/stores/redis-meter';
import { RedisUsage } from '../src/stores/redis-usage';
import { describeOnEachRedis } from './each-redis';

const month = '2026-02';

describeOnEachRedis((connection, cluster) => {
  let redis: RedisClient;
  let meter: RedisMeter;
  let usage: RedisUsage;
  let account: Principal;

  beforeAll(() => {
    redis = connection();
    meter = new RedisMeter(redis);
    usage = new RedisUsage(redis);
  });
  beforeEach(async () => {
    await redis.zadd(accountsKey, 0, '0:acc');
    account = principal('free');
    await redis.set(recordKey(account.accountId), '{}');
  });

  function principal(plan: PlanTier, terms = {}): Principal {
    const ids = { accountId: `acc_${randomUUID()}`, keyId: 'key_1' };
    return { ...ids, mode: 'live', plan, terms: { ...termsOf(plan), ...terms } };
  }

  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      index,
      product: 'faceDetection',
      group: 'imageAnalysis' as const,
    }));
  const reservationsFor = (request: AdmissionRequest, { mode, keyId } = account): Reservation[] =>
    request.items.map((item) => ({ ...item, mode, keyId, month, day: 7 }));
  const request = (
    admissionId: string,
    count = 1,
    more: Partial<AdmissionRequest> = {},
  ): AdmissionRequest => ({
    admissionId,
    operations: count,
    items: items(count),
    leaseMs: 60_000,
    ...more,
  });
  const admit = (request: AdmissionRequest, who = account) =>
    meter.admit(who, request, reservationsFor(request, who));
  const settle = (admissionId: string, commits: number[], refunds: number[] = [], more: object = {}) =>
    meter.settle({
      accountId: account.accountId,
      mode: account.mode,
      admissionId,
      operations: commits.length + refunds.length,
      commits,
      refunds,
      ends: true,
      ...more,
    });
  async function counters() {
    const { used, reserved } = await usage.readMonth(account.accountId, 'live', month);
    return { used: used.imageAnalysis, reserved: reserved.imageAnalysis };
  }
  async function ledger(): Promise<LedgerEntry[]> {
    const key = accountKey(account.accountId, 'ledger');
    const entries = await redis.xrange(key, '-', '+');
    return entries.map(([id, fields]) => {
      const value = (name: string) => fields[fields.indexOf(name) + 1];
      return { id, kind: value('kind'), item: value('item'), month: value('month') } as LedgerEntry;
    });
  }
  const kinds = async () => (await ledger()).map(({ kind }) => kind);
  /** Ends leases without waiting for them. */
  const endLeases = async () => {
    const running = accountKey(account.accountId, 'running');
    for (const member of await redis.zrange(running, '0', '-1')) await redis.zadd(running, 1, member);
  };

  test('a reservation counts once it is committed, and only once', async () => {
    expect(await admit(request('a'))).toMatchObject({ states: ['reserved'], rate: { remaining: 99 } });
    expect(await counters()).toEqual({ used: 0, reserved: 1 });
    expect(await settle('a', [0])).toEqual([]);
    expect(await settle('a', [0])).toEqual([0]);
    expect(await counters()).toEqual({ used: 1, reserved: 0 });
    expect(await kinds()).toEqual(['commit']);
    const { days } = await usage.readMonth(account.accountId, 'live', month);
    expect(days.imageAnalysis[6]).toBe(1);
  });

  test('a refunded item is not counted and frees its unit', async () => {
    await admit(request('a'));
    await settle('a', [], [0]);
    expect(await counters()).toEqual({ used: 0, reserved: 0 });
    expect(await kinds()).toEqual(['refund']);
  });

  test('the ledger keeps all billed operations and a bounded number of refunds', async () => {
    const returned = [accountKey(account.accountId, 'usage'), `live:${month}:returned`] as const;
    await redis.hset(...returned, 9_999);
    for (const name of ['a', 'b']) {
      await admit(request(name, 2));
      await settle(name, [0], [1]);
    }
    expect((await kinds()).sort()).toEqual(['commit', 'commit', 'refund']);
    expect(await redis.hget(...returned)).toBe('10001');
    expect(await counters()).toEqual({ used: 2, reserved: 0 });
  });

  test('a hard quota admits exactly its units under concurrency', async () => {
    const limited = principal('free', { burst: { limit: 1_000, windowSeconds: 1 }, concurrency: 1_000 });
    const decisions = await Promise.all(
      Array.from({ length: 200 }, (_, i) => admit(request(`r${i}`), limited)),
    );
    const states = decisions.flatMap((decision) => decision.states);
    expect(states.filter((state) => state === 'reserved')).toHaveLength(50);
    expect(states.filter((state) => state === 'quotaHeld')).toHaveLength(150);
  });

  test('a paid plan continues with overage; its test key stops at the quota', async () => {
    const terms = { quota: { imageAnalysis: 1, livenessDetection: 1 } };
    const live = principal('basic', terms);
    expect(await admit(request('a', 3), live)).toMatchObject({ states: Array(3).fill('reserved') });
    const test = { ...live, mode: 'test' as const };
    const expected: ItemState[] = ['reserved', 'overQuota', 'overQuota'];
    expect(await admit(request('b', 3), test)).toMatchObject({ states: expected });
  });

  test('the rate limit: the whole burst at once, then one for each interval', async () => {
    const limited = principal('free', { burst: { limit: 4, windowSeconds: 60 }, concurrency: 100 });
    const first = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => admit(request(id), limited)));
    expect(first.map(({ rate }) => rate.remaining)).toEqual([3, 2, 1, 0, 0]);
    const { rejection, rate } = first[4] as (typeof first)[0];
    expect(rejection?.kind).toBe('burst');
    expect(rejection?.waitMs).toBeGreaterThan(10_000);
    expect(rejection?.waitMs).toBeLessThanOrEqual(15_000);
    expect(rate.resetMs).toBeGreaterThan(50_000);
    expect(rate.resetMs).toBeLessThanOrEqual(60_000);
  });

  test('a batch takes as many units of the rate as it has operations, or none', async () => {
    const limited = principal('free', { burst: { limit: 5, windowSeconds: 60 } });
    expect((await admit(request('a', 3), limited)).rate.remaining).toBe(2);
    expect((await admit(request('b', 3), limited)).rejection?.kind).toBe('burst');
    expect((await admit(request('c', 2), limited)).rate.remaining).toBe(0);
  });

  test('operations that are owed count past the limit, by a window at most, and never bill', async () => {
    account = principal('free', { burst: { limit: 5, windowSeconds: 60 } });
    const owe = (operations: number) =>
      meter.admit(account, { admissionId: 'owed', operations, items: [], owed: true, leaseMs: 0 }, []);
    expect((await owe(4)).rate.remaining).toBe(1);
    const past = await owe(3);
    expect(past).toMatchObject({ rate: { remaining: 0 }, states: [] });
    expect(past.rate.resetMs).toBeGreaterThan(80_000);
    const next = await admit(request('a'));
    expect(next.rejection?.kind).toBe('burst');
    expect(next.rejection?.waitMs).toBeGreaterThan(30_000);
    for (let i = 0; i < 5; i++) expect((await owe(5)).rate.resetMs).toBeLessThanOrEqual(120_000);
    expect((await admit(request('b'))).rejection?.waitMs).toBeLessThanOrEqual(72_000);
    expect(await counters()).toEqual({ used: 0, reserved: 0 });
  });

  test('the cap on requests at once ends with the request or its lease', async () => {
    account = principal('free', { concurrency: 2 });
    await admit(request('a'));
    await admit(request('b', 3));
    expect((await admit(request('c'))).rejection?.kind).toBe('concurrency');
    await settle('a', [0]);
    expect((await admit(request('c'))).states).toEqual(['reserved']);
    expect((await admit(request('d'))).rejection?.kind).toBe('concurrency');
    await endLeases();
    expect((await admit(request('d'))).states).toEqual(['reserved']);
  });

  test('a reservation of a dead process is refunded; a late commit still counts once', async () => {
    await admit(request('a', 2));
    await endLeases();
    expect(await counters()).toEqual({ used: 0, reserved: 0 });
    expect(await kinds()).toEqual(['expired', 'expired']);
    await settle('a', [1]);
    await settle('a', [1]);
    expect(await counters()).toEqual({ used: 1, reserved: 0 });
    expect(await kinds()).toEqual(['expired', 'expired', 'commit']);
  });

  test('the round over all accounts finds it as well', async () => {
    await admit(request('a'));
    await endLeases();
    await redis.del('presenza:sweeper');
    await meter.sweep(15_000);
    expect(await kinds()).toEqual(['expired']);
  });

  describe('an idempotency key', () => {
    const idempotency = { key: 'k', fingerprint: 'f' };
    const settled = (operation: string, commits: number[], refunds: number[] = []) =>
      settle(operation, commits, refunds, { idempotencyKey: 'k' });

    test('counts an operation once', async () => {
      await admit(request('a', 1, { idempotency }));
      await settled('a', [0]);
      expect((await admit(request('b', 1, { idempotency }))).states).toEqual(['repeated']);
      await settle('b', []);
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    test('counts the operations of a batch that failed the first time', async () => {
      await admit(request('a', 3, { idempotency }));
      await settled('a', [0, 2], [1]);
      const states = ['repeated', 'reserved', 'repeated'];
      expect((await admit(request('b', 3, { idempotency }))).states).toEqual(states);
      await settled('b', [1]);
      expect(await counters()).toEqual({ used: 3, reserved: 0 });
    });

    test('is in use while the first runs, and free once its lease has ended', async () => {
      await admit(request('a', 1, { idempotency }));
      const { rejection } = await admit(request('b', 1, { idempotency }));
      expect(rejection?.kind).toBe('inProgress');
      expect(rejection?.waitMs).toBeGreaterThan(50_000);
      await endLeases();
      expect((await admit(request('c', 1, { idempotency }))).states).toEqual(['reserved']);
    });

    test('is rejected for another request, and belongs to its account alone', async () => {
      await admit(request('a', 1, { idempotency }));
      const other = { key: 'k', fingerprint: 'g' };
      expect((await admit(request('b', 1, { idempotency: other }))).rejection?.kind).toBe('mismatch');
      const stranger = principal('free');
      expect((await admit(request('b', 1, { idempotency: other }), stranger)).states).toEqual(['reserved']);
    });

    test('is not remembered for a request that was rejected', async () => {
      account = principal('free', { quota: { imageAnalysis: 0, livenessDetection: 0 } });
      expect((await admit(request('a', 1, { idempotency }))).states).toEqual(['overQuota']);
      const other = { key: 'k', fingerprint: 'g' };
      expect((await admit(request('b', 1, { idempotency: other }))).states).toEqual(['overQuota']);
    });
  });

  describe('a commit from the journal', () => {
    const late = (operation: string, more: Partial<LateCommit> = {}): LateCommit => ({
      accountId: account.accountId,
      operation,
      operations: 1,
      reservation: reservationsFor(request(operation))[0] as Reservation,
      reserved: true,
      reservedAt: Date.now(),
      ...more,
    });

    test('takes the reservation, if it is still there', async () => {
      await admit(request('a'));
      await meter.replay('j', 0, late('a'));
      await meter.replay('j', 1, late('a'));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    test('takes the one that was swept meanwhile', async () => {
      await admit(request('a'));
      await endLeases();
      await counters();
      await meter.replay('j', 0, late('a'));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    test('counts nothing when the commit had arrived after all', async () => {
      await admit(request('a'));
      await settle('a', [0]);
      await meter.replay('j', 0, late('a'));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    /** Puts Redis into a state before all reservations. */
    const forget = (...more: string[]) =>
      redis.del(...['reservations', 'usage', ...more].map((name) => accountKey(account.accountId, name)));

    test('counts once in a Redis that was restored to a state before the reservation', async () => {
      const { at } = await admit(request('a'));
      await forget();
      for (let i = 0; i < 2; i++) await meter.replay('j', i, late('a', { reservedAt: at }));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    test('counts an item whose lease ended and which was forgotten since', async () => {
      const { at } = await admit(request('a'));
      await endLeases();
      await counters();
      expect(await kinds()).toEqual(['expired']);
      await forget('swept');
      await meter.replay('j', 0, late('a', { reservedAt: at }));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    test('finds its arrival behind thousands of later entries', async () => {
      const { at } = await admit(request('a'));
      const [busy, key] = [redis.pipeline(), accountKey(account.accountId, 'ledger')];
      for (let i = 0; i < 1_500; i++) busy.xadd(key, '*', 'kind', 'commit', 'item', `other:${i}`);
      await busy.exec();
      await settle('a', [0]);
      await meter.replay('j', 0, late('a', { reservedAt: at }));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    test('finds its arrival if the clock of Redis was set back by hours since an earlier entry', async () => {
      const { at = 0 } = await admit(request('a'));
      const ahead = String(at + 3 * 3_600_000);
      await redis.xadd(accountKey(account.accountId, 'ledger'), ahead, 'kind', 'commit', 'item', 'other:0');
      await settle('a', [0]);
      await meter.replay('j', 0, late('a', { reservedAt: at }));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    test('counts nothing in a month whose ledger was trimmed', async () => {
      const { at } = await admit(request('a'));
      await settle('a', [0]);
      await usage.trimLedger(account.accountId, '2026-03');
      await redis.del(accountKey(account.accountId, 'ledger'));
      await meter.replay('j', 0, late('a', { reservedAt: at }));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    test('counts nothing without a reservation if the journal does not say when it was made', async () => {
      await meter.replay('j', 0, late('a', { reservedAt: undefined }));
      expect(await counters()).toEqual({ used: 0, reserved: 0 });
    });

    test('waits while Redis has no account, because it is not the one that made the reservation', async () => {
      await redis.del(accountsKey);
      await redis.del(recordKey(account.accountId));
      for (const [i, reserved] of [true, false].entries())
        await expect(meter.replay('j', i, late('a', { reserved }))).rejects.toThrow(StoreEmpty);
      await redis.zadd(accountsKey, 0, '0:acc');
      await redis.set(recordKey(account.accountId), '{}');
      await meter.replay('j', 0, late('a'));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    test('is refused where other accounts exist, and leaves nothing of the account', async () => {
      await redis.del(recordKey(account.accountId));
      for (const [i, reserved] of [true, false].entries())
        await expect(meter.replay('j', i, late('a', { reserved }))).rejects.toThrow('does not exist');
      expect(
        await redis.exists(
          ...['usage', 'ledger', 'journals'].map((name) => accountKey(account.accountId, name)),
        ),
      ).toBe(0);
    });

    test('is dropped while its account is erased, even if that was the last one', async () => {
      const { accountId } = account;
      await redis.del(recordKey(accountId));
      await redis.del(accountsKey);
      const erasures = new RedisErasures(redis, new Vault('5a'.repeat(32), 'erasures'));
      await erasures.repeat({ id: accountId, createdAt: 0 }, Date.now());
      await meter.replay('j', 0, late('a', { reserved: false }));
      expect(await redis.exists(accountKey(accountId, 'usage'))).toBe(0);
    });

    test('without a reservation counts once, however often the journal is replayed', async () => {
      for (let i = 0; i < 3; i++) await meter.replay('j', 0, late('a', { reserved: false }));
      await meter.replay('j', 1, late('b', { reserved: false }));
      expect(await counters()).toEqual({ used: 2, reserved: 0 });
    });

    test('counts nothing that its idempotency key counted before', async () => {
      const idempotency = { key: 'k', fingerprint: 'f' };
      await meter.replay('j', 0, late('a', { reserved: false, idempotency }));
      await meter.replay('j', 1, late('b', { reserved: false, idempotency }));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
      expect((await admit(request('c', 1, { idempotency }))).states).toEqual(['repeated']);
    });
  });

  describe('one key, two operations that both ran', () => {
    const idempotency = { key: 'k', fingerprint: 'f' };
    const late = (operation: string, reserved: boolean): LateCommit => ({
      accountId: account.accountId,
      operation,
      operations: 1,
      idempotency,
      reservation: reservationsFor(request(operation))[0] as Reservation,
      reserved,
      reservedAt: Date.now(),
    });
    const settled = (operation: string) => settle(operation, [0], [], { idempotencyKey: 'k' });

    test('the first in a journal that is replayed while the second runs', async () => {
      await admit(request('b', 1, { idempotency }));
      await meter.replay('j', 0, late('a', false));
      expect((await admit(request('c', 1, { idempotency }))).rejection?.kind).toBe('inProgress');
      await settled('b');
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
      expect(await kinds()).toEqual(['commit', 'refund']);
    });

    test('the first was held up until its lease had ended', async () => {
      await admit(request('a', 1, { idempotency }));
      await endLeases();
      await admit(request('b', 1, { idempotency }));
      await settled('b');
      await settled('a');
      await meter.replay('j', 0, late('a', true));
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });
  });

  describe('a script that is sent again, since its response was lost', () => {
    test('admits what it admitted, and takes nothing twice', async () => {
      const limited = principal('free', { quota: { imageAnalysis: 2, livenessDetection: 0 } });
      const first = await admit(request('a', 3), limited);
      const again = await admit(request('a', 3), limited);
      expect(again.states).toEqual(['reserved', 'reserved', 'overQuota']);
      expect(again).toEqual({
        ...first,
        at: expect.any(Number),
        rate: { ...again.rate, remaining: first.rate.remaining },
      });
      account = limited;
      expect(await counters()).toEqual({ used: 0, reserved: 2 });
      await settle('a', [0], [1]);
      await settle('a', [0], [1]);
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });

    test('a resent admission is not in conflict with itself', async () => {
      const idempotency = { key: 'k', fingerprint: 'f' };
      await admit(request('a', 1, { idempotency }));
      expect((await admit(request('a', 1, { idempotency }))).states).toEqual(['reserved']);
    });
  });

  describe('requests of one turn of the event loop', () => {
    const idempotency = { key: 'k', fingerprint: 'f' };

    test('share one script call per account, and each gets its own response', async () => {
      account = principal('free', { concurrency: 3 });
      await admit(request('a'));
      await admit(request('b', 2));
      const stranger = principal('free');
      const calls = jest.spyOn(redis, 'evalsha');
      const [third, fourth, other] = await Promise.all([
        admit(request('c', 1, { idempotency })),
        admit(request('d')),
        admit(request('c', 1, { idempotency }), stranger),
        settle('a', [0]),
        settle('b', [1], [0]),
      ]);
      expect(calls).toHaveBeenCalledTimes(2);
      calls.mockRestore();
      expect([third.states, fourth.rejection?.kind, other.states]).toEqual([
        ['reserved'],
        'concurrency',
        ['reserved'],
      ]);
      expect(await counters()).toEqual({ used: 2, reserved: 1 });
    });

    test('with one Idempotency-Key: the first runs, and the second is in conflict', async () => {
      const [first, second] = await Promise.all([
        admit(request('a', 1, { idempotency })),
        admit(request('b', 1, { idempotency })),
      ]);
      expect([first.states, second.rejection?.kind]).toEqual([['reserved'], 'inProgress']);
    });

    test('an error of one leaves the others in effect', async () => {
      await admit(request('a'));
      await redis.set(meterKeys(account.accountId, 'live:k').idem, 'of another type');
      const outcomes = await Promise.allSettled([
        admit(request('b')),
        admit(request('c', 1, { idempotency })),
        admit(request('d')),
        settle('x', [0], [], { idempotencyKey: 'k' }),
        settle('a', [0]),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
        'fulfilled',
      ]);
      const { reason } = outcomes[1] as PromiseRejectedResult;
      expect(reason.message).toMatch('WRONGTYPE');
      expect(reason).not.toBeInstanceOf(StoreUnavailable);
      expect(await counters()).toEqual({ used: 1, reserved: 2 });
    });

    test('a Redis without memory rejects admissions, and bills the operations that end', async () => {
      await admit(request('a'));
      const nodes = 'nodes' in redis ? redis.nodes('master') : [redis];
      const limitMemory = (bytes: number) =>
        Promise.all(nodes.map((node) => node.config('SET', 'maxmemory', bytes)));
      await limitMemory(1);
      const both = await Promise.allSettled([settle('a', [0]), admit(request('b'))]);
      await limitMemory(0);
      expect(both).toEqual([
        { status: 'fulfilled', value: [] },
        { status: 'rejected', reason: expect.any(StoreUnavailable) },
      ]);
      expect(await counters()).toEqual({ used: 1, reserved: 0 });
    });
  });

  test('an idempotency key of test mode is unknown in live mode', async () => {
    const idempotency = { key: 'k', fingerprint: 'f' };
    const trial = { ...account, mode: 'test' as const };
    await admit(request('a', 1, { idempotency }), trial);
    await settle('a', [0], [], { mode: 'test', idempotencyKey: 'k' });
    expect((await admit(request('b', 1, { idempotency }))).states).toEqual(['reserved']);
  });

  test('an idempotency key that was forgotten meanwhile counts like a new one', async () => {
    const idempotency = { key: 'k', fingerprint: 'f' };
    const forget = () => redis.del(meterKeys(account.accountId, 'live:k').idem);
    await admit(request('a', 1, { idempotency }));
    await forget();
    await settle('a', [0], [], { idempotencyKey: 'k' });
    await admit(request('b', 1, { idempotency }));
    await settle('b', [0], [], { idempotencyKey: 'k' });
    expect(await counters()).toEqual({ used: 2, reserved: 0 });
  });

  test('a swept item is forgotten once it is refunded, and after a week', async () => {
    const swept = accountKey(account.accountId, 'swept');
    await admit(request('a'));
    await admit(request('b'));
    await endLeases();
    await counters();
    expect(await redis.hlen(swept)).toBe(2);
    await settle('a', [], [0]);
    expect(await redis.hkeys(swept)).toEqual(['b:0']);
    const weekAgo = String(
      (await redis.hget(swept, 'b:0'))?.replace(/^\d+/, String(Date.now() - 8 * 86_400_000)),
    );
    await redis.hset(swept, 'b:0', weekAgo);
    await admit(request('c'));
    await endLeases();
    await counters();
    expect(await redis.hkeys(swept)).toEqual(['c:0']);
  });

  test('an unlimited value is a valid limit', async () => {
    const limited = principal('basic', { burst: { limit: 1e9, windowSeconds: 60 } });
    expect((await admit(request('a'), limited)).states).toEqual(['reserved']);
  });

  test('a script error is a defect, not an outage', async () => {
    await redis.set(accountKey(account.accountId, 'running'), 'of another type');
    const failure = admit(request('a'));
    await expect(failure).rejects.toThrow('WRONGTYPE');
    await expect(failure).rejects.not.toBeInstanceOf(StoreUnavailable);
  });

  test('every key of an account lies in one slot', async () => {
    const keys = Object.values(meterKeys(account.accountId, 'k'));
    const slots = await Promise.all(keys.map((key) => redis.cluster('KEYSLOT', key).catch(() => 'one')));
    expect(slots).toEqual(Array(keys.length).fill(cluster ? expect.any(Number) : 'one'));
    expect(new Set(slots).size).toBe(1);
  });

  test('the ledger of a month is read whole, page by page, and no other month with it', async () => {
    const key = accountKey(account.accountId, 'ledger');
    const start = Date.UTC(2026, 1, 1);
    const fields = (entryMonth: string, i: number) =>
      Object.entries({ kind: 'commit', item: `${i}:0`, mode: 'live', month: entryMonth, day: '1' }).flat();
    const written = redis.pipeline();
    // The first of them when Redis's clock was still in the month before.
    for (let i = 0; i < 2_500; i++) {
      written.xadd(key, `${start + i - 100}-0`, ...fields(i % 500 ? month : '2026-01', i));
    }
    await written.exec();
    const entries: LedgerEntry[] = [];
    for await (const entry of usage.readLedger(account.accountId, month)) entries.push(entry);
    expect(entries).toHaveLength(2_495);
    expect(new Set(entries.map((entry) => entry.item)).size).toBe(2_495);
  });
});
