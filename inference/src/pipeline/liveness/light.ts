/**
 * The light challenge: whether a face reflects the colors that the page shows. Compares log chroma of the face minus that
 * of the background, because a camera's white balance shifts both alike. It compares changes from frame to frame, and counts
 * them less the more the head moved meanwhile: as a face turns, highlights and shadows wander over it and change its color,
 * on dark skin by more than the page does. A print reflects like a face, so the challenge only proves that light of this
 * page reached the subject, never whether the subject is alive.
 */

import type { Box, Pose } from '../../wire/faces';
import type { Light, LightResponse, Rgb } from '../../wire/frames';
import type { DecodedImage } from '../image/decoded-image';
import type { Points } from '../image/geometry';
import { centerOf, interOcularDistance } from './landmarks';

/** ln(R/G) and ln(B/G) in linear light. */
export type Chroma = readonly [redToGreen: number, blueToGreen: number];

/** How a frame shows the face. */
export interface LitFace {
  readonly chroma: Chroma;
  readonly pose: Pick<Pose, 'yaw' | 'pitch'>;
}

/** Number of colors in a challenge. */
export const colorCount = { min: 2, max: 64 } as const;

/** Delay of display, exposure and camera together. */
const lags = { maxMs: 500, stepMs: 25 } as const;
/** Fewer frames or colors correlate by chance. */
const least = { frames: 12, colors: 5 } as const;
/** A change counts half if the head moved by this angle meanwhile, in degrees. */
const halvingAngle = 3;

/** @param faces of the frames in their order, undefined if there is no face or no background */
export function measureLight(
  faces: readonly (LitFace | undefined)[],
  { colors, shown }: Light,
): LightResponse | undefined {
  const seen = faces.flatMap((face, i) => {
    const color = shown[i];
    return face && color ? [{ ...face, ...color }] : [];
  });
  const distinct = new Set(seen.map(({ index }) => index)).size;
  if (seen.length < least.frames || distinct < least.colors) return undefined;
  const measured = changes(seen.map(({ chroma }) => chroma));
  const weights = changes(seen.map(({ pose: { yaw, pitch } }) => [yaw, pitch] as const)).map(
    ([yaw, pitch]) => 1 / (1 + (yaw ** 2 + pitch ** 2) / halvingAngle ** 2),
  );
  let best: LightResponse | undefined;
  for (let lagMs = 0; lagMs <= lags.maxMs; lagMs += lags.stepMs) {
    const displayed = seen.map(({ index, sinceMs }) => {
      const then = sinceMs >= lagMs ? index : Math.max(0, index - 1);
      return chromaOf((colors[then] as Rgb).map(linear) as unknown as Rgb);
    });
    const correlation = correlate(changes(displayed), measured, weights);
    if (!best || correlation > best.correlation) best = { correlation, lagMs, colors: distinct };
  }
  return best;
}

type Pair = readonly [number, number];

/** The difference of each pair to the one before it. */
const changes = (pairs: readonly Pair[]): Pair[] =>
  pairs.slice(1).map(([x, y], i) => {
    const [lastX, lastY] = pairs[i] as Pair;
    return [x - lastX, y - lastY];
  });

/** The weighted correlation of changes, -1 to 1, over both channels and around no change; 0 if either side never changes. */
function correlate(a: readonly Pair[], b: readonly Pair[], weights: readonly number[]): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (const [i, weight] of weights.entries()) {
    const [[redA, blueA], [redB, blueB]] = [a[i] as Pair, b[i] as Pair];
    ab += weight * (redA * redB + blueA * blueB);
    aa += weight * (redA ** 2 + blueA ** 2);
    bb += weight * (redB ** 2 + blueB ** 2);
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/** Cheeks and forehead, which hair and shadows cover least. */
const skin = [50, 280, 205, 425, 151, 108, 337] as const;
/** Half of the side of the square around each of them, in inter-ocular distances. */
const reach = 0.12;
/** The background lies outside the face's box, enlarged by this factor, and above its lower edge, where clothes begin. */
const clearance = 1.5;
/** Distance between measured pixels, in both directions. */
const step = 4;
/** Fewer pixels are no background. */
const minBackground = 100;

/** @returns undefined if no background is visible. */
export function faceChroma(image: DecodedImage, points: Points, box: Box): Chroma | undefined {
  const side = Math.max(2, Math.round(reach * interOcularDistance(points)));
  const face = new Mean();
  for (const point of skin) {
    const [x, y] = centerOf(points, [point]).map(Math.round) as [number, number];
    face.add(image, { left: x - side, top: y - side, right: x + side, bottom: y + side }, 1);
  }
  const margin = ((clearance - 1) / 2) * box.width;
  const bottom = Math.min(image.height, box.top + box.height);
  const background = new Mean();
  background.add(image, { left: 0, top: 0, right: box.left - margin, bottom }, step);
  background.add(image, { left: box.left + box.width + margin, top: 0, right: image.width, bottom }, step);
  if (face.count === 0 || background.count < minBackground) return undefined;
  const [a, b] = [chromaOf(face.linear), chromaOf(background.linear)];
  return [a[0] - b[0], a[1] - b[1]];
}

/** Mean of pixels in linear light. */
class Mean {
  count = 0;
  private readonly sums: [number, number, number] = [0, 0, 0];

  add(
    image: DecodedImage,
    area: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
    every: number,
  ): void {
    const [left, top] = [Math.max(0, Math.round(area.left)), Math.max(0, Math.round(area.top))];
    const [right, bottom] = [Math.min(image.width, area.right), Math.min(image.height, area.bottom)];
    for (let y = top; y < bottom; y += every) {
      for (let x = left; x < right; x += every) {
        const pixel = image.at(x, y);
        for (const channel of [0, 1, 2] as const) this.sums[channel] += linear(pixel[channel]);
        this.count += 1;
      }
    }
  }

  get linear(): Rgb {
    return this.sums.map((sum) => sum / this.count) as unknown as Rgb;
  }
}

/** Keeps the logarithm finite, and is small beside dark skin in dim light. */
const floor = 0.002;

const chromaOf = ([red, green, blue]: Rgb): Chroma => [
  Math.log((red + floor) / (green + floor)),
  Math.log((blue + floor) / (green + floor)),
];

/** A level of 0 to 255 as linear light, 0 to 1: the transfer function of sRGB, IEC 61966-2-1. */
const linearLevels = Float64Array.from({ length: 256 }, (_, level) => {
  const value = level / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});
const linear = (level: number) => linearLevels[level] as number;
