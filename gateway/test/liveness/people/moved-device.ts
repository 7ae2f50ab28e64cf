/** A person who keeps the head still and moves the device around it, always pointed at the face. */
import { Actor, type Habits } from './actor';
import { blinkAt, blinking } from './blink';
import { cropped } from './image';
import type { Person } from './people';
import { room, shoot, straightOn, vga, withShoulders } from './scene';
import { focalOf } from './solid';
import { noiseSeed, type Sitting, type Subject } from './subject';

/** The room is wider and higher than the image by this factor, because the camera pans over it. */
const roomFactor = 3;
/** A hand is slower than a head and less steady, and the device does not stay pointed at the face. */
const habits: Habits = { reactionMs: 900, moveMs: 1800, yaw: 35, pitch: 21, sway: 2.2 };
/** Shift of the face in the image for each degree of the movement, in millimeters. */
const drift = { x: 1.2, y: -1.5 };
/** Change of the distance, in millimeters, and its period divided by 2 pi. */
const reach = { mm: 15, ms: 1300 };

export async function movedDevice(person: Person, sitting: Sitting = {}): Promise<Subject> {
  const { camera = vga, base = straightOn, seed = 1 } = sitting;
  const { width, height } = camera;
  const size = { width: roomFactor * width, height: roomFactor * height };
  const wide = await room({ ...camera, ...size }, seed);
  const actor = new Actor(habits, seed);
  /** Position of the image in the room, along one side. */
  const pan = (degrees: number, side: number) => {
    const free = (roomFactor - 1) * side;
    const shift = focalOf(width) * Math.tan((Math.PI * degrees) / 180);
    return Math.round(Math.min(free, Math.max(0, free / 2 + shift)));
  };
  return {
    instruct: (movement, atMs) => actor.instruct(movement, atMs),
    async frameAt(ms) {
      const seen = actor.placementAt(ms, base);
      const at = {
        ...seen,
        x: seen.x + drift.x * seen.yaw,
        y: seen.y + drift.y * seen.pitch,
        distance: seen.distance + reach.mm * Math.sin(ms / reach.ms),
      };
      const behind = cropped(wide, {
        left: pan(seen.yaw, width),
        top: pan(-seen.pitch, height),
        width,
        height,
      });
      const backdrop = await withShoulders(behind, person, at);
      const solid = blinking(person.head, blinkAt(ms, seed));
      return shoot(camera, backdrop, [{ solid, at }], noiseSeed(seed, ms));
    },
  };
}
