/**
 * The light challenge: whether a face reflects the colors that the page shows. Compares log chroma of the face minus that
 * of the background, because a camera's white balance shifts both alike. A print reflects like a face, so the challenge
 * only proves that light of this page reached the subject, never whether the subject is alive.
 */

import type { Box } from '../../wire/faces';
import type { Light, LightResponse, Rgb } from '../../wire/frames';
import type { DecodedImage } from '../image/decoded-image';
import type { Points } from '../image/geometry';
import { centerOf, interOcularDistance } from './landmarks';

/** ln(R/G) and ln(B/G) in linear light. */
export type Chroma = readonly [redToGreen: number, blueToGreen: number];

/** Number of colors in a challenge. */
export const colorCount = { min: 2, max: 64 } as const;

/** Delay of display, exposure and camera together. */
const lags = { maxMs: 500, stepMs: 25 } as const;
/** Fewer frames or colors correlate by chance. */
const least = { frames: 12, colors: 5 } as const;

/** @param chromas of the frames in their order, undefined where there is no face or no background */
export function measureLight(
  chromas: readonly (Chroma | undefined)[],
  { colors, shown }: Light,
): LightResponse | undefined {
  const seen = chromas.flatMap((chroma, i) => {
    const one = shown[i];
    return chroma && one ? [{ chroma, ...one }] : [];
  });
  const distinct = new Set(seen.map(({ index }) => index)).size;
  if (seen.length < least.frames || distinct < least.colors) return undefined;
  const measured = seen.map(({ chroma }) => chroma);
  let best: LightResponse | undefined;
  for (let lagMs = 0; lagMs <= lags.maxMs; lagMs += lags.stepMs) {
    const displayed = seen.map(({ index, sinceMs }) => {
      const then = sinceMs >= lagMs ? index : Math.max(0, index - 1);
      return chromaOf((colors[then] as Rgb).map(linear) as unknown as Rgb);
    });
    const correlation = correlate(displayed, measured);
    if (!best || correlation > best.correlation) best = { correlation, lagMs, colors: distinct };
  }
  return best;
}

/** Pearson correlation of both channels, each around its own mean; 0 where either side never changes. */
function correlate(a: readonly Chroma[], b: readonly Chroma[]): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (const channel of [0, 1] as const) {
    const meanA = a.reduce((sum, one) => sum + one[channel], 0) / a.length;
    const meanB = b.reduce((sum, one) => sum + one[channel], 0) / b.length;
    a.forEach((one, i) => {
      const da = one[channel] - meanA;
      const db = (b[i] as Chroma)[channel] - meanB;
      ab += da * db;
      aa += da * da;
      bb += db * db;
    });
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/** Cheeks and forehead, which hair and shadows cover least. */
const skin = [50, 280, 205, 425, 151, 108, 337] as const;
/** Half of the side of the square around each of them, in inter-ocular distances. */
const reach = 0.12;
/** The background lies outside the face's box, enlarged by this factor, and above its lower edge, where clothes begin. */
const clearance = 1.5;
/** Of pixels, in both directions. */
const step = 4;
/** Fewer pixels are no background. */
const minBackground = 100;

/** @returns undefined where no background is visible. */
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

/** Keeps the logarithm of dark channels finite. */
const floor = 0.01;

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
