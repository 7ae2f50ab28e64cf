/**
 * A replay attack: frames of an earlier capture of the same person, shown in the order that the new prompts need. The
 * attacker measures the pose of each frame, mirrors the frames for turns to the other side, and bends a frontal one for a nod
 * that the earlier capture lacks.
 */
import { Actor } from './actor';
import type { Develop } from './disguises';
import type { Fit } from './fits';
import { headFrom } from './head';
import { copyOf, type Rgb } from './image';
import type { Color } from './light';
import { flatAt } from './photo-frame';
import { straightOn } from './scene';
import { paint, rotation, type Solid } from './solid';
import type { Sitting, Subject } from './subject';

export interface OldFrame {
  readonly image: Rgb;
  /** Mesh and pose as the attacker measures them. */
  readonly fit: Fit;
}

/** Frames in a row that differ, because a camera never repeats an image. */
const distinct = 4;
/** A nod that the nearest frame lacks by more than this is bent into it, in degrees. */
const tolerated = 4;
/** A turn to a side counts this much more than a nod when the nearest frame is chosen. */
const sideWeight = 2;

export interface Replay {
  /** Changes each frame before it is sent. */
  readonly develop?: Develop;
  /** Tints the face with the colors of the page, by this share of its brightness. */
  readonly tint?: number;
}

/** @param frames of the earlier capture, with their mirror images */
export function oldFrames(
  frames: readonly OldFrame[],
  { habits, seed = 1 }: Sitting,
  { develop, tint = 0 }: Replay = {},
): Subject {
  const actor = new Actor(habits, seed);
  const origin = { ...straightOn, x: 0, y: 0 };
  const neutral = neutralOf(frames);
  const recent: OldFrame[] = [];
  const colors: { readonly color: Color; readonly atMs: number }[] = [];
  return {
    instruct: (movement, atMs) => actor.instruct(movement, atMs),
    ...(tint > 0 && { shine: (color, atMs) => void colors.push({ color, atMs }) }),
    async frameAt(ms) {
      const wanted = actor.placementAt(ms, origin);
      const distance = ({ fit: { pose } }: OldFrame) =>
        Math.hypot(sideWeight * (pose.yaw - wanted.yaw), pose.pitch - neutral - wanted.pitch);
      const others = frames.filter((frame) => !recent.includes(frame));
      const nearest = others.reduce((best, frame) => (distance(frame) < distance(best) ? frame : best));
      recent.push(nearest);
      if (recent.length > distinct) recent.shift();
      const lacking = wanted.pitch - (nearest.fit.pose.pitch - neutral);
      const bent = Math.abs(lacking) > tolerated ? nodded(nearest, lacking) : nearest.image;
      const color = colors.findLast(({ atMs }) => atMs <= ms)?.color;
      const shown = color ? tinted(bent, nearest.fit, color, tint) : bent;
      return develop ? develop(shown, ms) : shown;
    },
  };
}

/** The pitch of a head that looks straight ahead. */
function neutralOf(frames: readonly OldFrame[]): number {
  const frontal = frames.map(({ fit: { pose } }) => pose).sort((a, b) => turnOf(a) - turnOf(b));
  const middle = frontal
    .slice(0, 5)
    .map(({ pitch }) => pitch)
    .sort((a, b) => a - b);
  return middle[middle.length >> 1] as number;
}

const turnOf = ({ yaw, pitch }: Fit['pose']) => Math.hypot(yaw, pitch);

/** The frame with its head nodded by some degrees: the points of the head move where the nod takes them. */
function nodded({ image, fit }: OldFrame, pitch: number): Rgb {
  const head = headFrom(image, fit);
  const rest = rotation(fit.pose);
  const moved = rotation({ ...fit.pose, pitch: fit.pose.pitch + pitch });
  const perMm = pixelsPerMm(head);
  const along = (r: readonly number[], i: number, row: 0 | 1) =>
    [0, 1, 2].reduce((sum, k) => sum + (r[3 * row + k] as number) * (head.points[3 * i + k] as number), 0);
  const count = head.alpha.length;
  const points = Float64Array.from(
    Array.from({ length: count }, (_, i) => [
      (head.uv[2 * i] as number) + perMm * (along(moved, i, 0) - along(rest, i, 0)) - image.width / 2,
      (head.uv[2 * i + 1] as number) + perMm * (along(moved, i, 1) - along(rest, i, 1)) - image.height / 2,
      0,
    ]).flat(),
  );
  const frame = copyOf(image);
  paint(frame, { ...head, points }, flatAt(image.width));
  return frame;
}

/** Pixels of the texture for a millimeter of a head, by the spread of its points. */
function pixelsPerMm({ points, uv }: Solid): number {
  const spread = (values: Float64Array, step: number) => {
    const ys = Array.from({ length: 468 }, (_, i) => values[step * i + 1] as number);
    return Math.max(...ys) - Math.min(...ys);
  };
  return spread(uv, 2) / spread(points, 3);
}

/** The frame with the light of a color on the face. */
function tinted(image: Rgb, { points }: Fit, color: Color, strength: number): Rgb {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const frame = copyOf(image);
  for (let row = 0; row < image.height; row++) {
    for (let column = 0; column < image.width; column++) {
      const distance = Math.hypot((column - x) / (right - left), (row - y) / (bottom - top));
      // Full inside the face, and nothing from a tenth outside it.
      const share = Math.min(1, Math.max(0, (0.6 - distance) / 0.1));
      if (share === 0) continue;
      const at = 3 * (row * image.width + column);
      for (let channel = 0; channel < 3; channel++) {
        const gain = 1 + (share * strength * (color[channel] as number)) / 255;
        frame.data[at + channel] = Math.min(255, gain * (image.data[at + channel] as number));
      }
    }
  }
  return frame;
}

/** The frame as a mirror shows it. */
export function mirrored(image: Rgb): Rgb {
  const frame = copyOf(image);
  const { width, height } = image;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      for (let channel = 0; channel < 3; channel++) {
        frame.data[3 * (row * width + column) + channel] = image.data[
          3 * (row * width + width - 1 - column) + channel
        ] as number;
      }
    }
  }
  return frame;
}
