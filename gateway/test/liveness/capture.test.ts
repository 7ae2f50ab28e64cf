/** Single frames of captures, and lockouts, over HTTP with the real models. */
import limits from '@presenza/contract/limits.json';
import sharp from 'sharp';
import { heldKey } from '../../src/stores/liveness/keys';
import {
  accountId,
  call,
  expectError,
  final,
  framesKept,
  frontal,
  inference,
  keysOf,
  metric,
  newSession,
  redis,
  setUpCaptures,
  view,
} from './capture-stage';
import type { Phone } from './phone';

setUpCaptures();

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
    // The tier applies the limits of a frame.
    expect(detect.mock.lastCall?.[1]).toMatchObject({ isFrame: true });
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
    expectError(await send(nonce, await sized(319)), 'INVALID_PARAMETERS', 'frameWidth');
    expectError(await send(nonce, await sized(1_281)), 'INVALID_PARAMETERS', 'frameWidth');
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
