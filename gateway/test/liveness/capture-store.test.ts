/** The store of captures, on a single Redis and on a cluster of three. */
import limits from '@presenza/contract/limits.json';
import {
  attemptFields,
  type NewFrame,
  type TakeOutcome,
} from '../../src/services/liveness/capture/capture-store';
import type { SessionAddress } from '../../src/services/liveness/session/session-store';
import { maxFingerprints } from '../../src/services/liveness/verdict/fingerprints';
import { frameHourKey, heldKey, sessionKeys } from '../../src/stores/liveness/keys';
import { RedisCaptureStore } from '../../src/stores/liveness/redis-capture-store';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import type { RedisClient } from '../../src/stores/redis';
import { describeOnEachRedis } from '../each-redis';
import { createSession, hour, newPrincipal } from './stored-session';

const attemptId = 'att_1';
const retentionMs = 1_000 * limits.liveness.dataRetentionSeconds;
const state = 'sealed state';
const movements = ['centre', 'left'] as const;

describeOnEachRedis((connection) => {
  let redis: RedisClient;
  let sessions: RedisSessionStore;
  let captures: RedisCaptureStore;
  let address: SessionAddress;

  beforeAll(() => {
    redis = connection();
    sessions = new RedisSessionStore(redis);
    captures = new RedisCaptureStore(redis);
  });
  beforeEach(async () => {
    address = await started();
  });

  /** A session with a new attempt. */
  async function started(): Promise<SessionAddress> {
    const address = await createSession(redis, newPrincipal());
    await sessions.start(address, 'evt_1');
    await sessions.clearUndecided(address);
    await begin(address, attemptId);
    return address;
  }

  const begin = (address: SessionAddress, id: string) =>
    sessions.beginAttempt(address, {
      attemptId: id,
      device: 'hash',
      maxBegun: 10,
      fields: attemptFields(id, { movements, state, camera: 'sealed', timeoutMs: 40_000 }),
    });

  const take = (number: number, more: Partial<NewFrame> = {}): Promise<TakeOutcome> =>
    captures.takeFrame(address, {
      attemptId,
      number,
      after: number - 1,
      step: 0,
      state,
      dropped: undefined,
      asksTurn: false,
      image: Buffer.from([number, 0, 255]),
      ...more,
    });

  const expectFrame = (number: number) => captures.expectFrame(address, attemptId, number);

  describe('fingerprints of frames', () => {
    const fingerprints = ['first---', 'second--', 'third---'].map((text) => Buffer.from(text));
    const remember = (session: SessionAddress, id = attemptId, which = fingerprints) =>
      captures.rememberFrames(session, { attemptId: id, createdAt: Date.now(), fingerprints: which });
    const another = async () => {
      const { accountId } = address;
      const other = await createSession(redis, { ...newPrincipal(), accountId });
      await sessions.start(other, 'evt_2');
      await sessions.clearUndecided(other);
      await begin(other, 'att_2');
      return other;
    };

    test('are known to later sessions of the account, and not to those of others', async () => {
      expect(await remember(address)).toEqual([false, false, false]);
      const last = [...fingerprints.slice(1), Buffer.from('fourth--')];
      expect(await remember(await another(), 'att_2', last)).toEqual([true, true, false]);
      expect(await remember(await started())).toEqual([false, false, false]);
    });

    test('are not known to the next attempt of the session, unless another session left them', async () => {
      const other = await another();
      await remember(other, 'att_2', [Buffer.from('fourth--')]);
      await remember(address);
      await begin(address, 'att_3');
      const all = [...fingerprints, Buffer.from('fourth--')];
      expect(await remember(address, 'att_3', all)).toEqual([false, false, false, true]);
      expect(await remember(address, attemptId)).toBeUndefined();
    });

    test('a repeated check of an attempt gets the result of the first', async () => {
      for (let check = 0; check < 2; check++) expect(await remember(address)).toEqual([false, false, false]);
      const other = await another();
      for (let check = 0; check < 2; check++) {
        expect(await remember(other, 'att_2', fingerprints.slice(1))).toEqual([true, true]);
      }
    });

    test('are known to one of two attempts that are checked at the same time', async () => {
      const known = await Promise.all([remember(address), remember(await another(), 'att_2')]);
      expect(known.flat().sort()).toEqual([false, false, false, true, true, true]);
    });

    test('leave the store with the session that added them', async () => {
      await remember(address);
      const other = await another();
      await remember(other, 'att_2', [...fingerprints, Buffer.from('fourth--')]);
      await sessions.erase(address, 'evt_3');
      const later = await another();
      expect(await remember(later, 'att_2', [...fingerprints, Buffer.from('fourth--')])).toEqual([
        false,
        false,
        false,
        true,
      ]);
    });

    test('expire no later than the data of their session', async () => {
      const createdAt = Date.now();
      await captures.rememberFrames(address, { attemptId, createdAt, fingerprints });
      const expiry = await redis.pexpiretime(frameHourKey(address.accountId, createdAt));
      expect(expiry).toBeGreaterThan(createdAt + retentionMs - hour);
      expect(expiry).toBeLessThanOrEqual(createdAt + retentionMs);
      const { session, remembered } = sessionKeys(address);
      expect(await redis.pexpiretime(remembered)).toBe(await redis.pexpiretime(session));
    });

    test('are bounded for each session, and count among its memory', async () => {
      const bytesOf = async () => Number(await redis.hget(heldKey(address.accountId), address.sessionId));
      const before = await bytesOf();
      const many = (attempt: number) =>
        Array.from({ length: maxFingerprints / 2 + 1 }, (_, i) => Buffer.from(`${attempt}${1e6 + i}`));
      await remember(address, attemptId, many(1));
      await begin(address, 'att_2');
      await remember(address, 'att_2', many(2));
      const hourSet = frameHourKey(address.accountId, Date.now());
      expect(await redis.scard(hourSet)).toBe(maxFingerprints);
      // The oldest made room.
      const [first, ...others] = await redis.smismember(hourSet, ...many(1).slice(0, 1), ...many(2));
      expect(first).toBe(0);
      expect(others.every((isMember) => isMember === 1)).toBe(true);
      const [set, list] = await Promise.all(
        [hourSet, sessionKeys(address).remembered].map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)),
      );
      const counted = (await bytesOf()) - before;
      expect(counted).toBe(72 * maxFingerprints);
      expect((set ?? 0) + (list ?? 0)).toBeLessThanOrEqual(counted);
    });
  });

  test('reads an attempt as it began, by its id only', async () => {
    expect(await captures.readAttempt(address, attemptId)).toEqual({ movements, state, taken: 0 });
    expect(await captures.readAttempt(address, 'att_2')).toBeUndefined();
    expect(await captures.readRecord(address, 'att_2')).toBeUndefined();
  });

  test('reads every arrival and the exact bytes of the selected frames', async () => {
    const later = 'a later state';
    expect(await take(1)).toEqual({ outcome: 'taken', taken: 1 });
    await take(2, { dropped: 1, step: 1 });
    expect(await take(3, { image: undefined, state: later, step: 2 })).toEqual({
      outcome: 'taken',
      taken: 3,
    });
    await take(2);
    const record = await captures.readRecord(address, attemptId);
    expect(record).toMatchObject({ movements, state: later, camera: 'sealed' });
    expect(record?.refused).toEqual({ repeated: 1, stale: 0, foreign: 0, signature: 0 });
    expect(record?.frames).toEqual(new Map([[2, Buffer.from([2, 0, 255])]]));
    expect(record?.arrivals.map(({ number, step }) => [number, step])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    const times = record?.arrivals.map(({ timeMs }) => timeMs) as number[];
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...times)).toBeLessThan(10_000);
  });

  test('rejects a frame whose state is outdated', async () => {
    const newer = 'a newer state';
    await take(1, { state: newer });
    expect(await take(2, { after: 0 })).toEqual({ outcome: 'outdated', attempt: { taken: 1, state: newer } });
    expect(await redis.hlen(sessionKeys(address).frames)).toBe(1);
  });

  test('counts but does not store an overtaken frame that the selection drops', async () => {
    await take(1);
    await take(3, { after: 1 });
    expect(await take(2, { after: 2, dropped: 2 })).toEqual({ outcome: 'taken', taken: 3 });
    expect(await redis.hkeys(sessionKeys(address).frames)).toEqual(['1', '3']);
  });

  test('refuses numbers that were not issued', async () => {
    const foreign = { outcome: 'refused', reason: 'foreign' };
    expect(await take(4)).toEqual(foreign);
    expect(await expectFrame(4)).toEqual(foreign);
    expect(await expectFrame(0)).toEqual(foreign);
    expect(await captures.expectFrame(address, 'att_2', 0)).toEqual({ outcome: 'ended' });
    expect((await captures.readRecord(address, attemptId))?.refused.foreign).toBe(3);
  });

  test('expects a frame until it is accepted or three others have overtaken it', async () => {
    expect(await expectFrame(1)).toEqual({
      outcome: 'expected',
      attempt: { movements, state, taken: 0 },
    });
    expect(await expectFrame(1)).toMatchObject({ outcome: 'expected' });
    await take(2, { after: 0 });
    await take(3, { after: 1 });
    expect(await expectFrame(2)).toEqual({ outcome: 'refused', reason: 'repeated' });
    expect(await expectFrame(1)).toMatchObject({ outcome: 'expected', attempt: { taken: 2 } });
    await take(4, { after: 2 });
    expect(await expectFrame(1)).toEqual({ outcome: 'refused', reason: 'stale' });
  });

  test('limits the memory of an account’s frames, which a verdict frees', async () => {
    const { accountId, sessionId } = address;
    const held = () => redis.hget(heldKey(accountId), sessionId).then(Number);
    const before = await held();
    const image = Buffer.alloc(1_000);
    await take(1, { image });
    await take(2, { image });
    await take(3, { image, dropped: 1 });
    // The dropped frame itself was never stored.
    await take(4, { image, dropped: 4 });
    expect(await held()).toBe(before + 2_000);
    await redis.hset(heldKey(accountId), 'most', 2 * (before + 2_500));
    expect(await take(5, { image })).toEqual({ outcome: 'overBytes' });
    expect((await take(5, { image, dropped: 2 })).outcome).toBe('taken');
    expect((await take(6, { image: undefined })).outcome).toBe('taken');
    await begin(address, 'att_2');
    expect(await held()).toBe(before);
    expect((await take(1, { image, attemptId: 'att_2' })).outcome).toBe('taken');
    await sessions.beginCheck(address, { attemptId: 'att_2', checker: 'chk_1', leaseMs: hour });
    expect(await held()).toBe(before + 1_000);
    await sessions.retry({ ...address, attemptId: 'att_2', explanation: 'why' });
    expect(await held()).toBe(before + 'why'.length);
    expect(await redis.hget(heldKey(accountId), 'total')).toBe(String(await held()));
  });

  test('lets a session grow up to what all sessions of the account leave free', async () => {
    const { accountId, sessionId } = address;
    const image = Buffer.alloc(1_000);
    const key = heldKey(accountId);
    const before = Number(await redis.hget(key, sessionId));
    const others = 10_000;
    await redis.hincrby(key, 'total', others);
    await redis.hset(key, 'most', others + 2 * (before + 2_500));
    expect((await take(1, { image })).outcome).toBe('taken');
    expect((await take(2, { image })).outcome).toBe('taken');
    // Half of the room that the others leave is taken.
    expect(await take(3, { image })).toEqual({ outcome: 'overBytes' });
    await redis.hincrby(key, 'total', -1_000);
    expect((await take(3, { image })).outcome).toBe('taken');
  });

  test('counts refused signatures of the running attempt only', async () => {
    await captures.countRefusedSignature(address, attemptId);
    await captures.countRefusedSignature(address, 'att_2');
    expect((await captures.readRecord(address, attemptId))?.refused.signature).toBe(1);
    await sessions.erase(address, 'evt_2');
    await captures.countRefusedSignature(address, attemptId);
    expect(await redis.exists(sessionKeys(address).attempt)).toBe(0);
  });

  test('refuses frames over the limit', async () => {
    const { maxFramesAccepted } = limits.liveness.attempt;
    for (let number = 1; number <= maxFramesAccepted; number++) {
      expect((await take(number, { image: undefined })).outcome).toBe('taken');
    }
    expect(await take(maxFramesAccepted + 1)).toEqual({ outcome: 'full' });
  });

  test('refuses frames after the end of the attempt', async () => {
    const { session } = sessionKeys(address);
    const { timeoutSeconds } = limits.liveness.attempt;
    // Simulates an attempt that began earlier.
    await redis.hincrby(session, 'consentAt', -1_000 * timeoutSeconds + 5_000);
    expect((await take(1)).outcome).toBe('taken');
    await redis.hincrby(session, 'consentAt', -6_000);
    expect(await take(2)).toEqual({ outcome: 'ended' });
  });

  test('refuses frames of replaced and checked attempts', async () => {
    await take(1);
    await begin(address, 'att_2');
    expect(await take(2)).toEqual({ outcome: 'ended' });
    expect(await captures.readAttempt(address, attemptId)).toBeUndefined();
    const check = { attemptId: 'att_2', checker: 'chk_1', leaseMs: hour };
    expect((await sessions.beginCheck(address, check))?.changed).toBe(true);
    expect(await take(1, { attemptId: 'att_2' })).toEqual({ outcome: 'status', status: 'checking' });
    await sessions.erase(address, 'evt_2');
  });

  test('accepts and stores nothing for an erased session', async () => {
    await take(1);
    await sessions.erase(address, 'evt_2');
    expect(await take(2)).toEqual({ outcome: 'status', status: undefined });
    expect(await expectFrame(2)).toEqual({ outcome: 'status', status: undefined });
    const { attempt, frames } = sessionKeys(address);
    expect(await redis.exists(attempt, frames)).toBe(0);
  });

  test('releases a failed check for an immediate retry', async () => {
    const check = (checker: string) => sessions.beginCheck(address, { attemptId, checker, leaseMs: hour });
    expect((await check('chk_1'))?.changed).toBe(true);
    expect((await check('chk_2'))?.changed).toBe(false);
    await captures.releaseCheck(address, 'chk_2');
    expect((await check('chk_2'))?.changed).toBe(false);
    await captures.releaseCheck(address, 'chk_1');
    expect((await check('chk_2'))?.changed).toBe(true);
    // Another check has the lease by now.
    await captures.releaseCheck(address, 'chk_1');
    expect((await check('chk_3'))?.changed).toBe(false);
  });

  test('checks an attempt only once', async () => {
    await sessions.beginCheck(address, { attemptId, checker: 'chk_1', leaseMs: hour });
    expect((await sessions.retry({ ...address, attemptId, explanation: 'sealed' }))?.changed).toBe(true);
    const again = await sessions.beginCheck(address, { attemptId, checker: 'chk_2', leaseMs: hour });
    expect(again).toMatchObject({ changed: false, session: { status: 'started' } });
  });
});
