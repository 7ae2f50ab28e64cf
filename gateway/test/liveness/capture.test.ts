/** Captures over HTTP with rendered people, a real gateway, a real Redis and the real models. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import errors from '@presenza/contract/errors.json';
import limits from '@presenza/contract/limits.json';
import sharp from 'sharp';
import { type RunningServer, startRedis } from '../../../deploy/local/harness/index.mjs';
import type { ErrorCode } from '../../src/errors';
import { createApp } from '../../src/http/app';
import { createMetrics } from '../../src/observability/metrics';
import { HttpInferenceClient } from '../../src/services/inference/inference-client';
import { KeyService } from '../../src/services/keys/keys';
import { heldKey, outboxKey, sessionKeys } from '../../src/stores/liveness/keys';
import { RedisCaptureStore } from '../../src/stores/liveness/redis-capture-store';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { schemas } from '../contract';
import { keepOpen, keySecret, realLiveness, realServices } from '../services';
import { sharedTierUrl } from '../shared-tier';
import { type OutageProxy, openOutageProxy } from './outage-proxy';
import { covered } from './people/attacks';
import { jpegOf } from './people/image';
import { loadPeople, type Person } from './people/people';
import { sitter } from './people/subject';
import { type ApiResponse, Phone } from './phone';

let redisServer: RunningServer;
/** Between the gateway and the tier. */
let proxy: OutageProxy;
let redis: RedisClient;
let inference: HttpInferenceClient;
let person: Person;
/** A frame of the person looking straight ahead. */
let frontal: Buffer;
const metrics = createMetrics();
const deadlineMs = 120_000;

/**
 * The frames arrive at the times at which they were filmed. A busy machine sends them later and with gaps, which a check
 * would refuse.
 */
class PunctualCaptures extends RedisCaptureStore {
  override async readRecord(...of: Parameters<RedisCaptureStore['readRecord']>) {
    const record = await super.readRecord(...of);
    const { frameIntervalMs } = limits.liveness.attempt;
    const arrivals = record?.arrivals.map((frame) => ({ ...frame, timeMs: frame.number * frameIntervalMs }));
    return record && { ...record, arrivals: arrivals ?? [] };
  }
}

let server: Server;
let url: string;
let accountId: string;
let apiKey: string;
/** A key that may read audit images. */
let reader: string;

beforeAll(async () => {
  const [redisProcess, people] = await Promise.all([startRedis(), loadPeople()]);
  redisServer = redisProcess;
  person = people[0] as Person;
  frontal = await jpegOf(await (await sitter(person, { seed: 2 })).frameAt(0));
  redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
  proxy = await openOutageProxy(sharedTierUrl());
  inference = new HttpInferenceClient(proxy.url);
  const { liveness } = realLiveness(redis, inference, {
    observer: metrics.liveness,
    // A busy machine may need longer than the defaults for a capture, its guidance and its check.
    guidanceTimeoutMs: 60_000,
    captures: new PunctualCaptures(redis),
    config: { LIVENESS_ATTEMPTS: 2, LIVENESS_ATTEMPT_SECONDS: 590, GATEWAY_DEADLINE_MS: deadlineMs },
  });
  const services = { ...realServices(redis, inference), liveness, deadlineMs };
  server = createServer(keepOpen, createApp(services)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = new KeyService(new RedisKeyStore(redis), keySecret);
  accountId = (await keys.createAccount('Shop', 'business')).id;
  apiKey = (await keys.createKey(accountId, 'live')).apiKey;
  await keys.updateAccount(accountId, { auditImages: {} });
  reader = (await keys.createKey(accountId, 'live', { auditImages: true })).apiKey;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  inference.close();
  redis.disconnect();
  await Promise.all([redisServer.stop(), proxy.cut()]);
});

// biome-ignore lint/suspicious/noExplicitAny: the tests check responses against the contract's schemas
async function call(method: string, path: string, body?: object, key = apiKey): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: unknown }).data;
}

async function newSession(body: object = {}, device?: string) {
  const { sessionId, accessToken } = await call('POST', '/liveness', body);
  const phone = new Phone(url, sessionId, accessToken, device);
  expect((await phone.start()).status).toBe(200);
  return { sessionId, phone };
}

const view = (sessionId: string) => call('GET', `/liveness/${sessionId}`);
const auditImage = (sessionId: string) =>
  call('GET', `/liveness/${sessionId}/audit-image`, undefined, reader);
const unitsUsed = async () => (await call('GET', '/usage')).productGroups.livenessDetection.used;

async function eventsOf(sessionId: string) {
  const entries = await redis.xrange(outboxKey(accountId), '-', '+');
  return entries
    .map(([, fields]) => fields)
    .filter((fields) => fields.includes(sessionId))
    .map((fields) => fields[fields.indexOf('type') + 1]);
}

const keysOf = (sessionId: string) => sessionKeys({ accountId, sessionId });
async function framesKept(sessionId: string): Promise<number> {
  return redis.hlen(keysOf(sessionId).frames);
}

function expectError({ status, headers, body }: ApiResponse, code: ErrorCode, reason?: string): void {
  expect(body).toMatchObject({ success: false, error: { code, ...(reason ? { reason } : {}) } });
  expect(status).toBe(errors[code].status);
  expect(schemas.validate('error-response.json', body)).toBe(true);
  expect(body.requestId).toBe(headers.get('x-request-id'));
}

/** Sum of the samples of a metric whose labels begin so; 0 where there is none. */
async function metric(name: string, labels = ''): Promise<number> {
  const text = await metrics.registry.metrics();
  const lines = text
    .split('\n')
    .filter((one) => one.startsWith(`presenza_gateway_liveness_${name}{${labels}`));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const framesWith = (guidance: string) => metric('frames_total', `guidance="${guidance}"`);

describe('a whole capture', () => {
  test('completes for a bona fide stand-in that matches the reference, even after an outage of the inference tier', async () => {
    const reference = await jpegOf(await (await sitter(person, { seed: 9 })).frameAt(0));
    const imageToCompare = `data:image/jpeg;base64,${reference.toString('base64')}`;
    const { sessionId, phone } = await newSession({ imageToCompare, metadata: { userId: 'u1' } });
    const used = await unitsUsed();
    const { attemptId, responses, done } = await phone.capture(await sitter(person, { seed: 4 }));
    expect(done).toBe(true);
    for (const { status, body } of responses) {
      expect(status).toBe(200);
      expect(schemas.validate('liveness-frame-response.json', body)).toBe(true);
    }
    expect(await framesKept(sessionId)).toBeGreaterThan(10);
    const blind = await newSession();
    const { attemptId: blindAttempt, nonces } = (await blind.phone.begin()).body.data;

    await proxy.cut();
    const unavailable = await phone.complete(attemptId);
    expectError(unavailable, 'SERVICE_UNAVAILABLE', 'inference');
    expect(unavailable.headers.get('retry-after')).toBe('1');
    expect((await view(sessionId)).status).toBe('checking');
    // Frames are accepted without guidance, and an attempt that the tier could not analyze does not fail.
    const unseen = await blind.phone.frame(blindAttempt, nonces[0], frontal);
    expect(unseen.body.data).toMatchObject({ guidance: 'ok', progress: 0, done: false });
    expect(await framesKept(blind.sessionId)).toBe(1);
    expectError(await blind.phone.complete(blindAttempt), 'SERVICE_UNAVAILABLE', 'overload');
    expect((await view(blind.sessionId)).status).toBe('started');
    await proxy.restore();

    const completed = await phone.complete(attemptId);
    expect(completed.body.data).toEqual({ status: 'completed', attemptsLeft: 0 });
    expect(schemas.validate('liveness-complete-response.json', completed.body)).toBe(true);
    expect(await view(sessionId)).toMatchObject({
      status: 'completed',
      result: { isLive: true },
      match: { isMatch: true, similarityThreshold: 0.8 },
    });
    expect(await eventsOf(sessionId)).toEqual(['session.started', 'session.completed']);
    expect(await unitsUsed()).toBe(used + 1);
    const keys = keysOf(sessionId);
    expect(await redis.exists(keys.attempt, keys.frames, keys.reference)).toBe(0);

    const kept = await auditImage(sessionId);
    expect(Date.parse(kept.expiresAt) - Date.parse(kept.takenAt)).toBe(30 * 24 * 60 * 60 * 1_000);
    expect(await call('POST', '/detect', { image: kept.image })).toMatchObject({ faceCount: 1 });
    expect(await auditImage(blind.sessionId)).toBeUndefined();
    await call('DELETE', `/liveness/${blind.sessionId}`);

    const again = await phone.complete(attemptId);
    expect(again.body.data).toEqual(completed.body.data);
    expect(await unitsUsed()).toBe(used + 1);
    expectError(await phone.frame(attemptId, responses.at(-1)?.body.data.nonce, frontal), ...final);
    expect(await metric('verdict_seconds_count', 'outcome="completed"')).toBe(1);
    expect(await metric('sessions_total', 'outcome="completed"')).toBe(1);
    // The blind session sent one more frame. On a busy machine the tier may miss others.
    const [taken, missed] = [await metric('frames_total'), await framesWith('unseen')];
    expect(taken).toBe(responses.length + 1);
    expect(taken).toBeGreaterThan(2 * missed);
  });

  test('fails for a face that is covered for a while, without revealing a score', async () => {
    const { sessionId, phone } = await newSession();
    const used = await unitsUsed();
    const began = await phone.begin();
    expect(schemas.validate('liveness-attempt-response.json', began.body)).toBe(true);
    // Ended before any step was complete.
    const first = await phone.complete(began.body.data.attemptId);
    expect(first.body.data).toEqual({ status: 'started', attemptsLeft: 1, hint: 'movement' });
    expect(await unitsUsed()).toBe(used);
    expect((await phone.complete(began.body.data.attemptId)).body.data).toEqual(first.body.data);
    // The hint is sealed like the rest of the verdict.
    expect(Object.values(await redis.hgetall(keysOf(sessionId).session))).not.toContain('movement');

    const subject = covered(await sitter(person, { seed: 5 }), 1_800, 4_300);
    const { attemptId, done } = await phone.capture(subject);
    expect(done).toBe(true);
    const failed = await phone.complete(attemptId);
    expect(failed.body.data).toEqual({ status: 'failed', attemptsLeft: 0, hint: expect.any(String) });
    expect(schemas.validate('liveness-complete-response.json', failed.body)).toBe(true);
    const shown = await view(sessionId);
    expect(shown.status).toBe('failed');
    expect(shown).not.toHaveProperty('result');
    expect(shown.failureReason).toBe('movement');
    expect(await eventsOf(sessionId)).toEqual(['session.started', 'session.failed']);
    expect(await unitsUsed()).toBe(used + 1);
    expect(await framesKept(sessionId)).toBe(0);
    expectError(await phone.begin(), ...final);
    expect(await metric('verdict_seconds_count', 'outcome="retry"')).toBe(1);
    expect(await metric('verdict_seconds_count', 'outcome="failed"')).toBe(1);
  });
});

const final = ['SESSION_STATE_CONFLICT', 'final'] as const;

describe('frames', () => {
  let phone: Phone;
  let sessionId: string;
  let attemptId: string;
  let nonces: string[];
  const send = (nonce: string | undefined, image = frontal) => phone.frame(attemptId, nonce ?? '', image);
  const refused = ['SESSION_STATE_CONFLICT', 'frame'] as const;

  beforeEach(async () => {
    ({ phone, sessionId } = await newSession());
    ({ attemptId, nonces } = (await phone.begin()).body.data);
  });

  const refusedNonces = async () => {
    const fields = await redis.hgetall(keysOf(sessionId).attempt);
    return Object.fromEntries(Object.entries(fields).filter(([name]) => name.startsWith('refused:')));
  };

  test('accepts three at once in any order', async () => {
    const responses = await Promise.all([2, 0, 1].map((i) => send(nonces[i])));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const issued = responses.map(({ body }) => body.data.nonce);
    expect(new Set([...nonces, ...issued]).size).toBe(6);
    expect(await redis.hkeys(keysOf(sessionId).frames)).toEqual(expect.arrayContaining(['1', '2', '3']));
    const last = await Promise.all(issued.map((nonce) => send(nonce)));
    expect(Math.max(...last.map(({ body }) => body.data.step.index))).toBe(1);
  });

  test('accepts a nonce only once', async () => {
    expect((await send(nonces[0])).status).toBe(200);
    expectError(await send(nonces[0]), ...refused);
    expect(await refusedNonces()).toEqual({ 'refused:repeated': '1' });
    expect(await framesKept(sessionId)).toBe(1);
  });

  test('accepts one frame for concurrent uses of a nonce', async () => {
    const responses = await Promise.all([send(nonces[0]), send(nonces[0]), send(nonces[0])]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await framesKept(sessionId)).toBe(1);
    expect(await refusedNonces()).toEqual({ 'refused:repeated': '2' });
  });

  test('does not analyze frames that it will refuse', async () => {
    const detect = jest.spyOn(inference, 'detect');
    expect((await send(nonces[0])).status).toBe(200);
    expect(detect).toHaveBeenCalledTimes(1);
    for (const nonce of [nonces[0], '1-AAAAAAAAAAAAAAAAAAAAAA']) expectError(await send(nonce), ...refused);
    const replaced = (await phone.begin()).body.data;
    expectError(await send(nonces[1]), 'SESSION_STATE_CONFLICT', 'attempt');
    await phone.cancel();
    expectError(await phone.frame(replaced.attemptId, replaced.nonces[0], frontal), ...final);
    expect(detect).toHaveBeenCalledTimes(1);
    detect.mockRestore();
  });

  test('limits the memory of the account’s sessions', async () => {
    await redis.hset(heldKey(accountId), 'most', 0);
    const response = await send(nonces[0]);
    expectError(response, 'RATE_LIMIT_EXCEEDED', 'sessionBytes');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    // Creating a session restores the limit of the account's plan.
    await newSession();
    expect((await send(nonces[0])).status).toBe(200);
  });

  test('accepts the time of the page’s colors as a whole number', async () => {
    const lit = await newSession({ policy: { lightChallenge: 'required' } });
    const { data } = (await lit.phone.begin()).body;
    expect(data.light.colors).toHaveLength(limits.liveness.light.colors);
    for (const wrong of ['-1', '1.5', '600001', '1e3', ''])
      expectError(
        await lit.phone.frame(data.attemptId, data.nonces[0], frontal, { 'x-frame-light': wrong }),
        'INVALID_PARAMETERS',
        'header',
      );
    const accepted = await lit.phone.frame(data.attemptId, data.nonces[0], frontal, {
      'x-frame-light': '600000',
    });
    expect(accepted.status).toBe(200);
  });

  test('refuses a frame that three others overtook', async () => {
    let next: string | undefined = nonces[1];
    for (let i = 0; i < 3; i++) next = (await send(next)).body.data.nonce;
    expectError(await send(nonces[0]), ...refused);
    expect(await refusedNonces()).toEqual({ 'refused:stale': '1' });
  });

  test('refuses a nonce of another attempt or session as foreign', async () => {
    const other = await newSession();
    const theirs = (await other.phone.begin()).body.data;
    expectError(await send(theirs.nonces[0]), ...refused);
    expectError(await send('1-AAAAAAAAAAAAAAAAAAAAAA'), ...refused);
    expectError(await send('nonsense'), ...refused);
    expect(await refusedNonces()).toEqual({ 'refused:foreign': '3' });
    expect(await framesKept(sessionId)).toBe(0);
    expect(await metric('frames_refused_total', 'reason="foreign"')).toBeGreaterThanOrEqual(3);
  });

  test('erases the frames of a replaced attempt and refuses more', async () => {
    const [first, second] = nonces;
    expect((await send(first)).status).toBe(200);
    const replaced = (await phone.begin()).body.data;
    expect(await framesKept(sessionId)).toBe(0);
    expectError(await send(second), 'SESSION_STATE_CONFLICT', 'attempt');
    expectError(await phone.complete(attemptId), 'SESSION_STATE_CONFLICT', 'attempt');
    expect((await phone.frame(replaced.attemptId, replaced.nonces[0], frontal)).status).toBe(200);
  });

  test("stores nothing that is readable without the session's key", async () => {
    await send(nonces[0]);
    const [sealed] = await redis.hvalsBuffer(keysOf(sessionId).frames);
    expect(sealed?.length).toBe(frontal.length + 28);
    expect(sealed?.includes(frontal.subarray(100, 116))).toBe(false);
    expect(await redis.pttl(keysOf(sessionId).frames)).toBeGreaterThan(23 * 3_600_000);
    const fields = await redis.hgetall(keysOf(sessionId).attempt);
    expect(JSON.stringify(fields)).not.toMatch(/Integrated|progress|yaw/);
    await call('DELETE', `/liveness/${sessionId}`);
    expect(await redis.exists(...Object.values(keysOf(sessionId)))).toBe(0);
    expectError(await send(nonces[1]), 'NOT_FOUND', 'session');
  });

  test('refuses an invalid frame and keeps its nonce valid', async () => {
    const [nonce] = nonces;
    const sized = (width: number) => sharp(frontal).resize(width, 240, { fit: 'fill' }).jpeg().toBuffer();
    expectError(await send(nonce, await sharp(frontal).png().toBuffer()), 'INVALID_IMAGE', 'format');
    expectError(await send(nonce, frontal.subarray(0, 2_000)), 'INVALID_IMAGE');
    expectError(await send(nonce, await sized(319)), 'INVALID_PARAMETERS', 'value');
    expectError(await send(nonce, await sized(1_281)), 'INVALID_PARAMETERS', 'value');
    expectError(await send(nonce, Buffer.alloc(limits.liveness.frame.maxBytes + 1)), 'PAYLOAD_TOO_LARGE');
    expectError(await send('', frontal), 'INVALID_PARAMETERS', 'header');
    expect((await send(nonce)).status).toBe(200);
    expect(await refusedNonces()).toEqual({});
  });

  test('guides users who are absent or too far', async () => {
    const empty = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer();
    const { body } = await send(nonces[0], empty);
    expect(body.data).toMatchObject({
      guidance: 'noFace',
      progress: 0,
      step: { index: 0, movement: 'centre' },
    });
    const small = await sharp(frontal)
      .resize(260, 195)
      .extend({ top: 142, bottom: 143, left: 190, right: 190 });
    expect((await send(nonces[1], await small.jpeg().toBuffer())).body.data.guidance).toBe('tooFar');
  });
});

test('locks out a device after five failures in a short time', async () => {
  const device = 'device-that-fails-often';
  const fail = async (phone: Phone) => {
    const { attemptId } = (await phone.begin()).body.data;
    return (await phone.complete(attemptId)).body.data;
  };
  const outcomes = [];
  for (let i = 0; i < 3; i++) {
    const { phone } = await newSession({}, device);
    outcomes.push(await fail(phone));
    if (i < 2) outcomes.push(await fail(phone));
    else {
      const locked = await phone.begin();
      expectError(locked, 'RATE_LIMIT_EXCEEDED', 'livenessAttempts');
      expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(1_700);
    }
  }
  expect(outcomes.map(({ status }) => status)).toEqual(['started', 'failed', 'started', 'failed', 'started']);
  expect(outcomes.map(({ lockedUntil }) => lockedUntil !== undefined)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
  const { phone } = await newSession({}, 'another-device-of-somebody');
  expect((await phone.begin()).status).toBe(200);
});

test('does not check attempts that a device began before its lockout', async () => {
  const device = 'device-with-many-sessions';
  const begun = await Promise.all(
    Array.from({ length: limits.liveness.failedAttempts.limit + 1 }, async () => {
      const { phone, sessionId } = await newSession({}, device);
      return { phone, sessionId, attemptId: (await phone.begin()).body.data.attemptId };
    }),
  );
  const last = begun.pop() as (typeof begun)[number];
  const failures = [];
  for (const { phone, attemptId } of begun) failures.push((await phone.complete(attemptId)).body.data);
  expect(failures.at(-1)).toMatchObject({ status: 'started', lockedUntil: expect.any(String) });
  const locked = await last.phone.complete(last.attemptId);
  expectError(locked, 'RATE_LIMIT_EXCEEDED', 'livenessAttempts');
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(1_700);
  expect(await view(last.sessionId)).toMatchObject({ status: 'started' });
  // An earlier outcome remains available.
  const first = begun[0] as (typeof begun)[number];
  expect((await first.phone.complete(first.attemptId)).body.data).toMatchObject({ status: 'started' });
});

test('gives simultaneous attempts of a device no more verdicts than the limit', async () => {
  const { limit } = limits.liveness.failedAttempts;
  const begun = await Promise.all(
    Array.from({ length: limit + 2 }, async () => {
      const { phone } = await newSession({}, 'device-with-simultaneous-attempts');
      return { phone, attemptId: (await phone.begin()).body.data.attemptId };
    }),
  );
  const verdicts = await Promise.all(begun.map(({ phone, attemptId }) => phone.complete(attemptId)));
  expect(verdicts.map(({ status }) => status).sort()).toEqual([...Array(limit).fill(200), 429, 429]);
});
