/** Presentation attacks with an image or a recording of a person, and some that break the rules. */
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { Actor, type Habits, usualHabits } from './actor';
import { blank, cropped, type Rgb } from './image';
import { PageLight } from './light';
import type { Person } from './people';
import { randomFrom } from './random';
import { room, shoot, straightOn, vga, withShoulders } from './scene';
import { onDisplay, type SheetShape, sheetOf } from './sheet';
import { focalOf, type Placement } from './solid';
import { noiseSeed, reflectionMs, type Sitting, type Subject, sitter } from './subject';

/** A life-size portrait that an attacker prints. */
const print = { width: 330, height: 400 };

/** Twice the pixels of the camera. */
const good = { width: 1280, height: 960, noise: 0 };

const portraitOf = async (person: Person): Promise<Rgb> => {
  const backdrop = await withShoulders(await room(good, 1), person, straightOn);
  return lifeSize(await shoot(good, backdrop, [{ solid: person.head, at: straightOn }], 1));
};

/** The part of an image around a frontal head. */
function lifeSize(image: Rgb): Rgb {
  const perMm = focalOf(image.width) / straightOn.distance;
  const [width, height] = [Math.round(print.width * perMm), Math.round(print.height * perMm)];
  return cropped(image, {
    left: Math.round((image.width - width) / 2),
    top: Math.max(0, Math.round((image.height - height) / 2)),
    width,
    height: Math.min(image.height, height),
  });
}

const upright: Placement = { ...straightOn, x: 0, y: 0 };

/** A hand-held print. @param move maps the position of a hand that follows the instructions to that of the print */
async function printed(
  person: Person,
  sitting: Sitting,
  {
    shape = {},
    habits,
    move,
  }: { shape?: Partial<SheetShape>; habits: Habits; move: (at: Placement) => Placement },
): Promise<Subject> {
  const { camera = vga, seed = 1 } = sitting;
  const sheet = sheetOf(await portraitOf(person), { width: print.width, ...shape });
  const backdrop = await room(camera, seed + 100);
  const actor = new Actor(habits, seed);
  const light = new PageLight(reflectionMs);
  return {
    instruct: (movement, atMs) => actor.instruct(movement, atMs),
    shine: (color, atMs) => light.shine(color, atMs),
    frameAt: (ms) =>
      shoot(
        camera,
        backdrop,
        [{ solid: light.lit(sheet, ms), at: move(actor.placementAt(ms, upright)) }],
        noiseSeed(seed, ms),
      ),
  };
}

/** Held as still as possible. */
export const stillPhoto = (person: Person, sitting: Sitting = {}) =>
  printed(person, sitting, { habits: { ...usualHabits, yaw: 0, pitch: 0, sway: 0.3 }, move: (at) => at });

/** Moved in the requested direction, brought closer and tilted, but never turned. */
export const movedPhoto = (person: Person, sitting: Sitting = {}) =>
  printed(person, sitting, {
    habits: { ...usualHabits, sway: 2 },
    move: (at) => ({
      ...at,
      yaw: 0,
      pitch: 0,
      roll: at.roll + at.yaw / 4,
      x: 3 * at.yaw,
      y: -3 * at.pitch,
      distance: at.distance - 2 * Math.abs(at.yaw),
    }),
  });

/** Turned as a plane in the requested direction, as far as the detector still finds the face. */
export const tiltedPhoto = (person: Person, sitting: Sitting = {}) => {
  const { between } = randomFrom(sitting.seed ?? 1);
  const habits = { ...usualHabits, moveMs: 700, yaw: between(35, 65), pitch: between(30, 55) };
  return printed(person, sitting, { habits, move: (at) => at });
};

/** Bent around a cylinder and turned in the requested direction. */
export const bentPhoto = (person: Person, sitting: Sitting = {}) => {
  const { between } = randomFrom(sitting.seed ?? 1);
  const habits = { ...usualHabits, moveMs: 700, yaw: between(35, 65), pitch: between(20, 50) };
  return printed(person, sitting, { shape: { radius: between(85, 140) }, habits, move: (at) => at });
};

/** A recorded attempt of the same person, with its own movements and times. */
export async function recording(
  person: Person,
  order: readonly Movement[],
  sitting: Sitting = {},
): Promise<Subject> {
  const recorded = await sitter(person, sitting);
  order.forEach((movement, i) => {
    recorded.instruct(movement, recordedStepMs * i);
  });
  return { instruct: () => {}, frameAt: (ms) => recorded.frameAt(ms % (recordedStepMs * order.length)) };
}

/** Between two instructions of a recorded attempt. */
export const recordedStepMs = 2300;

/** A subject on a screen in front of the camera. */
export async function onScreen(shown: Subject, sitting: Sitting = {}): Promise<Subject> {
  const { camera = vga, seed = 1 } = sitting;
  const backdrop = await room(camera, seed + 200);
  const hand = new Actor({ ...usualHabits, sway: 0.2 }, seed);
  return {
    instruct: (movement, atMs) => shown.instruct(movement, atMs),
    frameAt: async (ms) => {
      const texture = await onDisplay(lifeSize(await shown.frameAt(ms)));
      const solid = sheetOf(texture, { width: print.width });
      return shoot(camera, backdrop, [{ solid, at: hand.placementAt(ms, upright) }], noiseSeed(seed, ms));
    },
  };
}

/** A person who turns in the wrong direction. */
export function contrary(subject: Subject): Subject {
  const other = { centre: 'centre', left: 'up', right: 'left', up: 'down', down: 'right' } as const;
  return { ...subject, instruct: (movement, atMs) => subject.instruct(other[movement], atMs) };
}

/** One subject until a time, then another; both follow the instructions. */
export const swapped = (before: Subject, after: Subject, atMs: number): Subject => ({
  instruct(movement, ms) {
    before.instruct(movement, ms);
    after.instruct(movement, ms);
  },
  frameAt: (ms) => (ms < atMs ? before : after).frameAt(ms),
});

/** A person who follows the instructions, next to a second person. */
export async function twoFaces(person: Person, other: Person, sitting: Sitting = {}): Promise<Subject> {
  const { camera = vga, habits, seed = 1 } = sitting;
  const bases = [-95, 95].map((x) => ({ ...straightOn, x, distance: 620 })) as [Placement, Placement];
  let backdrop = await room(camera, seed);
  for (const [i, face] of [person, other].entries()) {
    backdrop = await withShoulders(backdrop, face, bases[i] as Placement);
  }
  const actor = new Actor(habits, seed);
  const still = new Actor(usualHabits, seed + 1);
  return {
    instruct: (movement, atMs) => actor.instruct(movement, atMs),
    frameAt: (ms) =>
      shoot(
        camera,
        backdrop,
        [
          { solid: other.head, at: still.placementAt(ms, bases[1]) },
          { solid: person.head, at: actor.placementAt(ms, bases[0]) },
        ],
        noiseSeed(seed, ms),
      ),
  };
}

/** Black frames between two times. */
export const covered = (subject: Subject, fromMs: number, toMs: number): Subject => ({
  ...subject,
  async frameAt(ms) {
    const frame = await subject.frameAt(ms);
    return ms < fromMs || ms >= toMs ? frame : blank(frame.width, frame.height);
  },
});

/** A subject whose face is hidden for a while from the first instruction to turn. */
export function hidden(subject: Subject, forMs: number): Subject {
  let since = Number.POSITIVE_INFINITY;
  return {
    instruct(movement, atMs) {
      if (movement !== 'centre') since = Math.min(since, atMs);
      subject.instruct(movement, atMs);
    },
    async frameAt(ms) {
      const frame = await subject.frameAt(ms);
      return ms < since || ms >= since + forMs ? frame : blank(frame.width, frame.height);
    },
  };
}

/** A person looks straight ahead, and a second person then takes over and turns. */
export function relieved(before: Subject, after: Subject): Subject {
  let now = before;
  return {
    instruct(movement, atMs) {
      if (movement !== 'centre') now = after;
      now.instruct(movement, atMs);
    },
    frameAt: (ms) => now.frameAt(ms),
  };
}

/** A subject whose image freezes for a while, bit by bit. */
export function stuttering(subject: Subject, holdMs: number): Subject {
  let last: { readonly at: number; readonly frame: Promise<Rgb> } | undefined;
  return {
    ...subject,
    frameAt(ms) {
      const at = Math.floor(ms / holdMs) * holdMs;
      if (last?.at !== at) last = { at, frame: subject.frameAt(at) };
      return last.frame;
    },
  };
}
