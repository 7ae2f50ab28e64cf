/** The store of captures, on a single Redis and on a cluster of three. */
import limits from '@presenza/contract/limits.json';
import {
  attemptFields,
  type FrameTaken,
  type TakeOutcome,
} from '../../src/services/liveness/capture/capture-store';
import type { SessionAddress } from '../../src/services/liveness/session/session-store';
import { sessionKeys } from '../../src/stores/liveness/keys';
import { RedisCaptureStore } from '../../src/stores/liveness/redis-capture-store';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { type RunningProcess, startRedis, startRedisCluster } from '../processes';
import { createSession, hour, newPrincipal } from './stored-session';

const attemptId = 'att_1';
const state = 'sealed state';
const movements = ['centre', 'left'] as const;

describe.each([
  ['one server', startRedis, false],
  ['a cluster', startRedisCluster, true],
] as const)('on %s', (_name, startServer, cluster) => {
  let server: RunningProcess;
  let redis: RedisClient;
  let sessions: RedisSessionStore;
  let captures: RedisCaptureStore;
  let address: SessionAddress;

  beforeAll(async () => {
    server = await startServer();
    redis = await connectRedis({ url: server.url, cluster }, () => {});
    sessions = new RedisSessionStore(redis);
    captures = new RedisCaptureStore(redis);
  }, 30_000);
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    address = await started();
  });

  /** A session with an attempt that has just begun. */
  async function started(): Promise<SessionAddress> {
    const of = await createSession(redis, newPrincipal());
    await sessions.start(of, 'evt_1');
    await sessions.decided(of);
    await begin(of, attemptId);
    return of;
  }

  const begin = (of: SessionAddress, id: string) =>
    sessions.beginAttempt(of, {
      attemptId: id,
      device: 'hash',
      most: 10,
      fields: attemptFields(id, { movements, state, camera: 'sealed', timeoutMs: 40_000 }),
    });

  const take = (number: number, more: Partial<FrameTaken> = {}): Promise<TakeOutcome> =>
    captures.takeFrame(address, {
      ...{ attemptId, number, after: number - 1, step: 0, state, dropped: undefined },
      image: Buffer.from([number, 0, 255]),
      ...more,
    });

  test('an attempt is read as it began, and only by its id', async () => {
    expect(await captures.readAttempt(address, attemptId)).toEqual({ movements, state, taken: 0 });
    expect(await captures.readAttempt(address, 'att_2')).toBeUndefined();
    expect(await captures.readRecord(address, 'att_2')).toBeUndefined();
  });

  test('a record has every arrival, and the frames that are kept, to the byte', async () => {
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
    expect(record?.refused).toEqual({ repeated: 1, stale: 0, foreign: 0 });
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

  test('what was reckoned from an older state is not written over a newer one', async () => {
    const newer = 'a newer state';
    await take(1, { state: newer });
    expect(await take(2, { after: 0 })).toEqual({ outcome: 'again', attempt: { taken: 1, state: newer } });
    expect(await redis.hlen(sessionKeys(address).frames)).toBe(1);
  });

  test('a late frame that is itself the one to go is counted and not kept', async () => {
    await take(1);
    await take(3, { after: 1 });
    expect(await take(2, { after: 2, dropped: 2 })).toEqual({ outcome: 'taken', taken: 3 });
    expect(await redis.hkeys(sessionKeys(address).frames)).toEqual(['1', '3']);
  });

  test('no more numbers than were given out', async () => {
    expect(await take(4)).toEqual({ outcome: 'refused', reason: 'foreign' });
    await captures.refuseForeign(address, attemptId);
    await captures.refuseForeign(address, 'att_2');
    expect((await captures.readRecord(address, attemptId))?.refused.foreign).toBe(2);
  });

  test('as many frames as there may be', async () => {
    const { maxFramesAccepted } = limits.liveness.attempt;
    for (let number = 1; number <= maxFramesAccepted; number++) {
      expect((await take(number, { image: undefined })).outcome).toBe('taken');
    }
    expect(await take(maxFramesAccepted + 1)).toEqual({ outcome: 'full' });
  });

  test('an attempt has its time', async () => {
    const { session } = sessionKeys(address);
    const { timeoutSeconds } = limits.liveness.attempt;
    // As if it had begun that much earlier.
    await redis.hincrby(session, 'consentAt', -1_000 * timeoutSeconds + 5_000);
    expect((await take(1)).outcome).toBe('taken');
    await redis.hincrby(session, 'consentAt', -6_000);
    expect(await take(2)).toEqual({ outcome: 'ended' });
  });

  test('a replaced attempt has ended, and so has one that is judged', async () => {
    await take(1);
    await begin(address, 'att_2');
    expect(await take(2)).toEqual({ outcome: 'ended' });
    expect(await captures.readAttempt(address, attemptId)).toBeUndefined();
    const check = { attemptId: 'att_2', checker: 'chk_1', leaseMs: hour };
    expect((await sessions.beginCheck(address, check))?.changed).toBe(true);
    expect(await take(1, { attemptId: 'att_2' })).toEqual({ outcome: 'status', status: 'checking' });
    await sessions.erase(address, 'evt_2');
  });

  test('of an erased session nothing is taken, and nothing is left by trying', async () => {
    await take(1);
    await sessions.erase(address, 'evt_2');
    expect(await take(2)).toEqual({ outcome: 'status', status: undefined });
    await captures.refuseForeign(address, attemptId);
    const { attempt, frames } = sessionKeys(address);
    expect(await redis.exists(attempt, frames)).toBe(0);
  });

  test('a check that could not be ended is there for the next at once', async () => {
    const check = (checker: string) => sessions.beginCheck(address, { attemptId, checker, leaseMs: hour });
    expect((await check('chk_1'))?.changed).toBe(true);
    expect((await check('chk_2'))?.changed).toBe(false);
    await captures.releaseCheck(address, 'chk_2');
    expect((await check('chk_2'))?.changed).toBe(false);
    await captures.releaseCheck(address, 'chk_1');
    expect((await check('chk_2'))?.changed).toBe(true);
    // Too late: it is another's by now.
    await captures.releaseCheck(address, 'chk_1');
    expect((await check('chk_3'))?.changed).toBe(false);
  });

  test('an attempt that was judged is not judged again', async () => {
    await sessions.beginCheck(address, { attemptId, checker: 'chk_1', leaseMs: hour });
    expect((await sessions.retry({ ...address, attemptId, explanation: 'sealed' }))?.changed).toBe(true);
    const again = await sessions.beginCheck(address, { attemptId, checker: 'chk_2', leaseMs: hour });
    expect(again).toMatchObject({ changed: false, session: { status: 'started', judged: { attemptId } } });
  });
});
