/**
 * Whole captures over HTTP, from the first frame to the verdict, with the real models.
 *
 * Slow: people are rendered frame by frame, and the inference tier analyzes each frame.
 */
import { schemas } from '../contract';
import {
  auditImage,
  call,
  eventsOf,
  expectError,
  final,
  framesKept,
  framesWith,
  frontal,
  keysOf,
  metric,
  newSession,
  person,
  proxy,
  redis,
  setUpCaptures,
  unitsUsed,
  view,
} from './capture-stage';
import { covered } from './people/attacks';
import { jpegOf } from './people/image';
import { sitter } from './people/subject';

setUpCaptures();

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

    const subject = covered(await sitter(person, { seed: 5 }), 1_800, 6_000);
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
