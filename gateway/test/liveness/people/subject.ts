/** Subjects for a camera, genuine or not. */
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { Actor, type Habits } from './actor';
import { blinkAt, blinking } from './blink';
import type { Rgb } from './image';
import type { Person } from './people';
import { type Camera, room, shoot, straightOn, vga, withShoulders } from './scene';
import type { Placement } from './solid';

export interface Subject {
  /** Instructs the subject to move. Times are ascending milliseconds. */
  instruct(movement: Movement, atMs: number): void;
  frameAt(ms: number): Promise<Rgb>;
}

export interface Sitting {
  readonly camera?: Camera;
  readonly habits?: Habits;
  /** Position of the head while it looks straight ahead. */
  readonly base?: Placement;
  /** Seed of the room, the sway and the noise. */
  readonly seed?: number;
}

/** A person who follows the instructions. */
export async function sitter(person: Person, sitting: Sitting = {}): Promise<Subject> {
  const { camera = vga, habits, base = straightOn, seed = 1 } = sitting;
  const backdrop = await withShoulders(await room(camera, seed), person, base);
  const actor = new Actor(habits, seed);
  return {
    instruct: (movement, atMs) => actor.instruct(movement, atMs),
    frameAt: (ms) => {
      const solid = blinking(person.head, blinkAt(ms, seed));
      return shoot(camera, backdrop, [{ solid, at: actor.placementAt(ms, base) }], noiseSeed(seed, ms));
    },
  };
}

/** Noise that differs at each moment. */
export const noiseSeed = (seed: number, ms: number) => Math.imul(seed, 7919) + Math.round(ms);
