/**
 * A Redis without free memory: it accepts no new data, but sessions can end, which frees memory.
 *
 * Slow: it fills the memory of Redis.
 */
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import { attemptFields } from '../../src/services/liveness/capture/capture-store';
import type { SessionAddress } from '../../src/services/liveness/session/session-store';
import { sessionKeys } from '../../src/stores/liveness/keys';
import { RedisCaptureStore } from '../../src/stores/liveness/redis-capture-store';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { createSession, creationOf, hour, newPrincipal, reserveUnit } from './stored-session';

const attemptId = 'att_1';
const full = { code: 'SERVICE_UNAVAILABLE', cause: { message: expect.stringMatching(/^OOM /) } };
const big = Buffer.alloc(500_000, 1);

let server: RunningServer;
let redis: RedisClient;
let sessions: RedisSessionStore;
let captures: RedisCaptureStore;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis({ url: server.url, cluster: false }, () => {});
  sessions = new RedisSessionStore(redis);
  captures = new RedisCaptureStore(redis);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
afterEach(() => redis.config('SET', 'maxmemory', 0));

/** Below the memory of an empty server. */
const fill = () => redis.config('SET', 'maxmemory', 1);

async function judging(lifetimeMs = hour): Promise<SessionAddress> {
  const address = await createSession(redis, newPrincipal(), { lifetimeMs, reference: big });
  await sessions.start(address, 'evt_start');
  await sessions.clearUndecided(address);
  const fields = attemptFields(attemptId, {
    movements: ['centre'],
    state: 'sealed',
    camera: 'sealed',
    timeoutMs: 40_000,
  } as const);
  await sessions.beginAttempt(address, { attemptId, device: 'hash', maxBegun: 10, fields });
  expect(await captures.takeFrame(address, frame(1))).toEqual({ outcome: 'taken', taken: 1 });
  return address;
}

const frame = (number: number) => ({
  attemptId,
  number,
  after: number - 1,
  step: 0,
  state: 'sealed',
  dropped: undefined,
  asksTurn: false,
  image: big,
});
const judgment = (address: SessionAddress) => ({ ...address, attemptId, explanation: 'sealed' });
const check = { attemptId, checker: 'chk_1', leaseMs: hour };

test('creates no session and accepts no frame', async () => {
  const address = await judging();
  const principal = newPrincipal();
  const operation = await reserveUnit(redis, principal);
  await fill();
  await expect(sessions.create(creationOf(principal, operation))).rejects.toMatchObject(full);
  await expect(captures.expectFrame(address, attemptId, 2)).rejects.toMatchObject(full);
  await expect(captures.takeFrame(address, frame(2))).rejects.toMatchObject(full);
  expect(await sessions.find({ ...address, accountId: principal.accountId })).toBeUndefined();
  expect(await redis.hlen(sessionKeys(address).frames)).toBe(1);
});

test.each([
  ['is cancelled', (address: SessionAddress) => sessions.cancel(address, 'evt_end'), 'cancelled'],
  [
    'is left',
    async (address: SessionAddress) => {
      await sessions.leave(address, -1);
      return sessions.abandon(address, 'evt_end');
    },
    'cancelled',
  ],
  [
    'gets its verdict',
    async (address: SessionAddress) => {
      expect(await sessions.beginCheck(address, check)).toMatchObject({ changed: true });
      await captures.releaseCheck(address, check.checker);
      expect(await sessions.beginCheck(address, { ...check, checker: 'chk_2' })).toMatchObject({
        changed: true,
      });
      return sessions.finish({
        ...judgment(address),
        status: 'completed',
        outcome: 'sealed',
        eventId: 'evt_end',
      });
    },
    'completed',
  ],
] as const)('ends a session that %s and erases its images', async (_name, end, status) => {
  const address = await judging();
  await fill();
  expect(await end(address)).toMatchObject({ changed: true, session: { status } });
  const { reference, frames, attempt } = sessionKeys(address);
  expect(await redis.exists(reference, frames, attempt)).toBe(0);
});

test('lets a gateway take the sweep lease and expire due sessions', async () => {
  const address = await createSession(redis, newPrincipal(), { lifetimeMs: -1, reference: big });
  await fill();
  expect(await sessions.acquireLease(1_000)).toBe(true);
  const due: SessionAddress[] = [];
  for await (const session of sessions.due()) due.push(session);
  expect(due).toContainEqual(address);
  expect(await sessions.expire(address, 'evt_end')).toMatchObject({ session: { status: 'expired' } });
  expect(await redis.exists(sessionKeys(address).reference)).toBe(0);
});

test('lets an account erase a session', async () => {
  const address = await judging();
  await fill();
  expect(await sessions.erase(address, 'evt_end')).toEqual({ erased: true, status: 'started' });
  expect(await redis.exists(...Object.values(sessionKeys(address)))).toBe(0);
});
