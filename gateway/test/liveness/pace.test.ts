/** How long captures take stand-ins with random habits, without images: the guidance sees the angles of their heads. */
import limits from '@presenza/contract/limits.json';
import type { Movement } from '../../src/services/liveness/capture/evidence';
import { type Guidance, guide } from '../../src/services/liveness/capture/guidance';
import {
  advance,
  beginning,
  drawMovements,
  isDone,
  turnsAfter,
  wantsCenter,
} from '../../src/services/liveness/capture/steps';
import type { Level } from '../../src/services/liveness/session/session-policy';
import type { Measurements } from '../../src/services/liveness/verdict/measurements';
import { refusals } from '../../src/services/liveness/verdict/rules';
import { Actor, habitsOf } from './people/actor';
import { randomFrom } from './people/random';

const { frameIntervalMs, timeoutSeconds } = limits.liveness.attempt;
/** Time from a frame to the prompt that follows from it. */
const lagMs = 150;
const standIns = 100;

/** One capture, with the measurements that the rules of pace use. */
function capture(seed: number, movements: readonly Movement[]) {
  const actor = new Actor(habitsOf(seed), seed);
  const latencies: number[] = [];
  const frames = movements.map(() => 0);
  let progress = beginning;
  let before: Guidance = 'ok';
  let requestedAt = 0;
  let ms = 0;
  actor.instruct('centre', 0);
  while (!isDone(progress, movements) && ms < 1_000 * timeoutSeconds) {
    ms += frameIntervalMs;
    const { step, neutral } = progress;
    const movement = movements[step] as Movement;
    const pose = { ...actor.placementAt(ms, { yaw: 0, pitch: 0, roll: 0, x: 0, y: 0, distance: 600 }) };
    const face = {
      boundingBox: { left: 0.3, top: 0.25, width: 0.4, height: 0.5 },
      quality: { brightness: 0.5, sharpness: 0.5 },
      attributes: { pose },
    };
    const guided = guide([face] as never, { before, frontal: wantsCenter(progress, movement), neutral });
    before = guided.guidance;
    frames[step] = (frames[step] as number) + 1;
    progress = advance(progress, movements, guided.pose && { ...guided.pose, good: before === 'ok' });
    // The second frame over the angle completes the turn.
    if (movement !== 'centre' && progress.step > step) latencies.push(ms - frameIntervalMs - requestedAt);
    const next = movements[progress.step];
    if (progress.step === step || next === undefined) continue;
    requestedAt = ms;
    actor.instruct(next, ms + lagMs);
  }
  const turns = movements.filter((movement) => movement !== 'centre').length;
  return {
    isDone: isDone(progress, movements),
    captureMs: ms - frameIntervalMs,
    leastLatencyMs: Math.min(...latencies),
    meanLatencyMs: latencies.reduce((sum, ms) => sum + ms, 0) / latencies.length,
    framesPerStep: Math.min(...frames),
    requested: turns,
    returns: movements.length - 1 - turns,
  };
}

const captures = (earlier: number, level: Level = 'standard') =>
  Array.from({ length: standIns }, (_, seed) => {
    const { next } = randomFrom(seed);
    const draw = (below: number) => Math.floor(next() * below);
    return capture(seed + 1, drawMovements(turnsAfter(earlier, level), level, draw));
  });

test('a first capture takes less than 8 s in the median, and others less than the time limit', () => {
  const all = captures(0);
  const times = all.map(({ captureMs }) => captureMs).sort((a, b) => a - b);
  expect(all.every((capture) => capture.isDone)).toBe(true);
  expect(times[standIns / 2]).toBeLessThan(8_000);
  for (const others of [captures(0, 'strict'), captures(1), captures(1, 'strict')]) {
    expect(others.every((capture) => capture.isDone)).toBe(true);
  }
});

test('no stand-in comes near the pace that no person has, not even at 1.5 times its speed', () => {
  for (const capture of [...captures(0), ...captures(0, 'strict'), ...captures(1)]) {
    const faster = {
      framesPerStep: capture.framesPerStep,
      captureMs: capture.captureMs / 1.5,
      leastLatencyMs: capture.leastLatencyMs / 1.5,
      meanLatencyMs: capture.meanLatencyMs / 1.5,
      requested: capture.requested,
      returns: capture.returns,
    } as Measurements;
    const refused = [refusals.tooFast, refusals.foreknown, refusals.hurried, refusals.tooFewFrames].filter(
      (refuses) => refuses(faster),
    );
    expect([capture, refused]).toEqual([capture, []]);
  }
});
