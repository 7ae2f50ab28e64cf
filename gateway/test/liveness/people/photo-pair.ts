/**
 * Injection attacks with two kinds of photos: one from the front and at least one from the side. The photo from the side
 * shows cheek, ear and jaw, and its mirror image serves for the turn to the other side, so nothing has to be stretched.
 */
import { Actor } from './actor';
import { blinkAt, blinking } from './blink';
import type { Develop } from './disguises';
import { outline } from './head';
import { copyOf, type Rgb } from './image';
import { PageLight } from './light';
import type { Person } from './people';
import { room, shoot, straightOn, vga, withShoulders } from './scene';
import type { Placement, Solid } from './solid';
import { noiseSeed, type Sitting, type Subject } from './subject';

/** Photos of one person. */
export interface PhotoPair {
  readonly front: Person;
  /** The first serves for turns to the person's left, the last for turns to the right. */
  readonly sides: readonly [Person, ...Person[]];
}

export interface Rendering {
  /** Changes each frame after it is rendered. */
  readonly develop?: Develop;
  /** Tints the faces with the colors of the page, by this share of their brightness. */
  readonly tint?: number;
}

/** Yaw at which the photo from the side begins to show, and from which on it alone does, in degrees. */
const blend = { from: 8, to: 24 } as const;

/** How far a head has turned into the photo from the side, 0 to 1. */
export const sideShare = (yaw: number): number => {
  const share = Math.min(1, Math.max(0, (Math.abs(yaw) - blend.from) / (blend.to - blend.from)));
  return share * share * (3 - 2 * share);
};

/** The head of two photos at a yaw, in degrees: its shape and its texture morph from one photo to the other. */
export function morphed({ front, sides }: PhotoPair, yaw: number): readonly [Solid, Solid] {
  const side = (yaw > 0 ? sides[0] : sides.at(-1)) as Person;
  const share = sideShare(yaw);
  const points = front.head.points.map(
    (value, i) => value + share * ((side.head.points[i] as number) - value),
  );
  return [
    { ...front.head, points },
    {
      ...side.head,
      points,
      alpha: side.head.alpha.map((alpha) => share * alpha),
      gain: toneOf(front, side),
    },
  ];
}

/** The gain that gives one photo the tone of the other. */
const toneOf = (wanted: Person, { skin }: Person): NonNullable<Solid['gain']> =>
  skin.map((level, i) => (wanted.skin[i] as number) / Math.max(1, level)) as unknown as NonNullable<
    Solid['gain']
  >;

/** A person who turns as the page asks, made of one photo from the front. */
export const onePhotoTurns = (person: Person, sitting: Sitting, rendering?: Rendering): Promise<Subject> =>
  rendered(person, sitting, (_at, ms) => [blinking(person.head, blinkAt(ms, seedOf(sitting)))], rendering);

/** A person who turns as the page asks, made of photos from the front and from the side. */
export const photoTurns = (pair: PhotoPair, sitting: Sitting, rendering?: Rendering): Promise<Subject> =>
  rendered(
    pair.front,
    sitting,
    (at, ms) => {
      const [front, side] = morphed(pair, at.yaw);
      return [blinking(front, blinkAt(ms, seedOf(sitting))), side];
    },
    rendering,
  );

/** How much of the victim's face a wide turn still shows: enough to stay the same person from frame to frame. */
const keptShare = 0.6;
/** The victim's face fades out between these shares of the way from its center to its edge. */
const fade = { from: 0.55, to: 0.9 } as const;

/** The face of the victim, known from the front only, on a stranger of whom the attacker has a photo from the side. */
export function swappedTurns(
  victim: Person,
  stranger: PhotoPair,
  sitting: Sitting,
  rendering?: Rendering,
): Promise<Subject> {
  const inner = innerFace(victim.head);
  const gain = toneOf(stranger.front, victim);
  return rendered(
    stranger.front,
    sitting,
    (at, ms) => {
      const opacity = 1 - (1 - keptShare) * sideShare(at.yaw);
      const face = { ...victim.head, gain, alpha: inner.map((alpha) => opacity * alpha) };
      return [...morphed(stranger, at.yaw), blinking(face, blinkAt(ms, seedOf(sitting)))];
    },
    rendering,
  );
}

/** Opacities that fade from the middle of the face to its edge. */
function innerFace({ points, alpha }: Solid): Float64Array {
  const at = (i: number) => [points[3 * i] as number, points[3 * i + 1] as number] as const;
  const edge = outline.map(at);
  const center = [0, 1].map(
    (axis) => edge.reduce((sum, point) => sum + (point[axis] as number), 0) / edge.length,
  ) as [number, number];
  return alpha.map((_, i) => {
    if (i >= 468) return 0;
    const [x, y] = at(i);
    const [dx, dy] = [x - center[0], y - center[1]];
    const length = Math.hypot(dx, dy);
    // The edge in the direction of the point: the largest cosine.
    const cosine = ([px, py]: readonly [number, number]) =>
      ((px - center[0]) * dx + (py - center[1]) * dy) / Math.hypot(px - center[0], py - center[1]);
    const edgePoint = edge.reduce((best, point) => (cosine(point) > cosine(best) ? point : best));
    const share = length / Math.hypot(edgePoint[0] - center[0], edgePoint[1] - center[1]);
    return Math.min(1, Math.max(0, (fade.to - share) / (fade.to - fade.from)));
  });
}

const seedOf = ({ seed = 1 }: Sitting): number => seed;

/** Solids that follow the instructions in a room that moves behind them. @param person whose shoulders the room shows */
async function rendered(
  person: Person,
  { camera = vga, habits, base = straightOn, seed = 1 }: Sitting,
  solidsAt: (at: Placement, ms: number) => readonly Solid[],
  { develop, tint }: Rendering = {},
): Promise<Subject> {
  const backdrop = await withShoulders(await room(camera, seed), person, base);
  const actor = new Actor(habits, seed);
  // A script reads the page without delay.
  const light = tint === undefined ? undefined : new PageLight(0, tint);
  return {
    instruct: (movement, atMs) => actor.instruct(movement, atMs),
    ...(light && { shine: (color, atMs) => light.shine(color, atMs) }),
    async frameAt(ms) {
      const at = actor.placementAt(ms, base);
      const things = solidsAt(at, ms).map((solid) => ({
        solid: light ? tinted(solid, light, ms) : solid,
        at,
      }));
      const frame = await shoot(camera, drifting(backdrop, ms), things, noiseSeed(seed, ms));
      return develop ? develop(frame, ms) : frame;
    },
  };
}

/** Largest movement of the background to either side, in pixels, and how often it goes back and forth in a second. */
const drift = { pixels: 5, hz: 0.21 } as const;

/** The background as seen by a hand that sways. Its edge stays. */
function drifting(image: Rgb, ms: number): Rgb {
  const { data, width, height } = image;
  const shift = Math.round(drift.pixels * Math.sin((2 * Math.PI * drift.hz * ms) / 1000));
  const moved = copyOf(image);
  for (let row = 0; row < height; row++) {
    const line = data.subarray(3 * row * width, 3 * (row + 1) * width);
    const kept = shift > 0 ? line.subarray(3 * shift) : line.subarray(0, line.length + 3 * shift);
    moved.data.set(kept, 3 * (row * width + Math.max(0, -shift)));
  }
  return moved;
}

/** A solid under the light of the page, in addition to its own gain. */
function tinted(solid: Solid, light: PageLight, ms: number): Solid {
  const { gain } = light.lit(solid, ms);
  if (!gain || gain === solid.gain) return solid;
  return {
    ...solid,
    gain: gain.map((factor, i) => factor * (solid.gain?.[i] ?? 1)) as unknown as NonNullable<Solid['gain']>,
  };
}
