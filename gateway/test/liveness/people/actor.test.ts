import { Actor, habitsOf, usualHabits } from './actor';
import { straightOn } from './scene';

const still = { ...usualHabits, sway: 0 };
const at = (actor: Actor, ms: number) => {
  const { yaw, pitch } = actor.placementAt(ms, straightOn);
  return [Math.round(yaw), Math.round(pitch)];
};
const { reactionMs, moveMs, yaw, pitch } = still;

test('begins a turn after the reaction time, reaches its angle and goes slightly further without a new instruction', () => {
  const actor = new Actor(still);
  actor.instruct('left', 1000);
  expect(at(actor, 1000 + reactionMs)).toEqual([0, 0]);
  expect(at(actor, 1000 + reactionMs + moveMs)).toEqual([yaw, 0]);
  expect(at(actor, 9000)[0]).toBeGreaterThan(1.2 * yaw);
});

test('begins the next turn with the way back from the current pose', () => {
  const actor = new Actor(still);
  actor.instruct('right', 0);
  const asked = reactionMs + 0.8 * moveMs;
  const before = at(actor, asked);
  actor.instruct('up', asked);
  expect(at(actor, asked)).toEqual(before);
  expect(at(actor, asked + reactionMs + 0.75 * moveMs)).toEqual([0, 0]);
  expect(at(actor, asked + reactionMs + 1.75 * moveMs)).toEqual([0, pitch]);
});

test('never jumps, whenever it gets an instruction', () => {
  const actor = new Actor(habitsOf(3), 3);
  let last = actor.placementAt(0, straightOn);
  for (let ms = 20; ms < 12_000; ms += 20) {
    if (ms % 1100 === 0)
      actor.instruct((['left', 'down', 'right', 'centre', 'up'] as const)[(ms / 1100) % 5] as 'up', ms);
    const now = actor.placementAt(ms, straightOn);
    expect(Math.hypot(now.yaw - last.yaw, now.pitch - last.pitch)).toBeLessThan(3);
    last = now;
  }
});
