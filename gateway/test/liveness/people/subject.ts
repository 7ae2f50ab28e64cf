/** Subjects for a camera: stand-ins and attacks. */
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { Actor, type Habits } from './actor';
import { blinkAt, blinking } from './blink';
import type { Rgb } from './image';
import { type Color, PageLight } from './light';
import type { Person } from './people';
import { type Camera, room, shoot, straightOn, vga, withShoulders } from './scene';
import type { Placement } from './solid';

export interface Subject {
  /** Instructs the subject to move. Times are ascending milliseconds. */
  instruct(movement: Movement, atMs: number): void;
  /** The page shows a color from now on. Most subjects do not react to it. */
  shine?(color: Color, atMs: number): void;
  frameAt(ms: number): Promise<Rgb>;
}

export interface Sitting {
  readonly camera?: Camera;
  readonly habits?: Habits;
  /** Position of the head while it looks straight ahead. */
  readonly base?: Placement;
  /** Seed of the sway and the noise. */
  readonly seed?: number;
  /** Seed of the room. Default: the other one. */
  readonly roomSeed?: number;
  /** Somebody else who stands still in the room. */
  readonly bystander?: { readonly person: Person; readonly at: Placement };
}

/** Milliseconds from a change of the page's color to a frame that shows it on a face: display, exposure and camera. */
export const reflectionMs = 120;

/**
 * A stand-in for a person who follows the instructions: a rendered head, which says nothing about how real people fare. Its
 * face reflects the colors of the page.
 */
export async function sitter(person: Person, sitting: Sitting = {}): Promise<Subject> {
  const { camera = vga, habits, base = straightOn, seed = 1, roomSeed = seed, bystander } = sitting;
  let scene = await room(camera, roomSeed);
  if (bystander) scene = await withShoulders(scene, bystander.person, bystander.at);
  const backdrop = await withShoulders(scene, person, base);
  const others = bystander ? [{ solid: bystander.person.head, at: bystander.at }] : [];
  const actor = new Actor(habits, seed);
  const light = new PageLight(reflectionMs);
  return {
    instruct: (movement, atMs) => actor.instruct(movement, atMs),
    shine: (color, atMs) => light.shine(color, atMs),
    frameAt: (ms) => {
      const solid = light.lit(blinking(person.head, blinkAt(ms, seed)), ms);
      const things = [...others, { solid, at: actor.placementAt(ms, base) }];
      return shoot(camera, backdrop, things, noiseSeed(seed, ms));
    },
  };
}

/** Noise that differs at each moment. */
export const noiseSeed = (seed: number, ms: number) => Math.imul(seed, 7919) + Math.round(ms);

/**
 * A person who leaves the image at the first instruction to turn, comes back after a while, reads it and follows it.
 * @param room what the camera sees in between
 */
export function leaving(subject: Subject, room: Rgb, forMs: number): Subject {
  let turn: { readonly movement: Movement; readonly atMs: number } | undefined;
  let isBack = false;
  return {
    ...subject,
    instruct(movement, atMs) {
      if (movement === 'centre' || turn) return subject.instruct(movement, atMs);
      turn = { movement, atMs };
    },
    async frameAt(ms) {
      if (!turn || isBack) return subject.frameAt(ms);
      if (ms < turn.atMs + forMs) return room;
      isBack = true;
      subject.instruct(turn.movement, ms);
      return subject.frameAt(ms);
    },
  };
}
