/**
 * A fingerprint of a frame, by which the same image is recognized after it was encoded, scaled, shifted or brightened anew. It
 * consists of the signs of a cosine transform (as in Zauner, "Implementation and benchmarking of perceptual image hash
 * functions", 2010), with two differences: the crop follows the face, so that a shift or zoom of the image changes
 * little, and the frequencies are so high that another moment of the same person in the same room has other signs: 8 to
 * 16 pixels per half wave in a frame of 640 pixels. The crop shows the room around the face as well, whose place beside the
 * face changes with every movement of the head. An image that is mirrored, to show the opposite turn, has the same
 * fingerprint. `benchmarks/accuracy/reuse.mjs` measures both.
 */
import type { Pose } from '../../wire/faces';
import type { DecodedImage } from '../image/decoded-image';
import { cropMap, type Points } from '../image/geometry';
import { cropLuma } from './crop-luma';

/** Pixels of the square around the face, and its side in root mean square distances of the mesh from its center. */
const crop = { pixels: 128, span: 6.5 } as const;
/** Half waves per side of the crop, from the first on and below the second. */
const band = [14, 28] as const;
/** Parts of a fingerprint, with as many signs each: a shared part means that all of its signs are the same. */
const parts = 8;
const signs = 24;

/** Every second frequency of the band, so that neighbors, which resemble each other, are not all in it. */
const frequencies = (() => {
  const [from, to] = band;
  const all: (readonly [across: number, down: number])[] = [];
  for (let down = 0; down < to; down++) {
    for (let across = 0; across < to; across++) {
      const length = Math.hypot(across, down);
      if (length >= from && length < to) all.push([across, down]);
    }
  }
  return all.filter((_, i) => i % 2 === 0).slice(0, parts * signs);
})();

/** Cosines of each half wave at each pixel. */
const waves = Array.from({ length: band[1] }, (_, wave) =>
  Float64Array.from({ length: crop.pixels }, (_, at) =>
    Math.cos((Math.PI * wave * (at + 0.5)) / crop.pixels),
  ),
);

/** A head that faces the camera looks alike at each visit, so only turned heads have fingerprints. In degrees. */
const leastTurn = 12;

/**
 * @returns eight texts of six hexadecimal digits, of which the same image usually shares three or more at their positions;
 *   undefined if the head is not turned
 */
export function fingerprintOf(
  image: DecodedImage,
  points: Points,
  { yaw, pitch }: Pick<Pose, 'yaw' | 'pitch'>,
): string[] | undefined {
  if (Math.hypot(yaw, pitch) < leastTurn) return undefined;
  const luma = lumaAround(image, points, yaw < 0);
  const rows = new Map<number, Float64Array>();
  const fingerprint = new Uint32Array(parts);
  for (const [i, [across, down]] of frequencies.entries()) {
    const row = rows.get(across) ?? sumsAcross(luma, waves[across] as Float64Array);
    rows.set(across, row);
    const wave = waves[down] as Float64Array;
    const sum = row.reduce((total, value, y) => total + value * (wave[y] as number), 0);
    if (sum > 0) (fingerprint[i % parts] as number) |= 1 << Math.floor(i / parts);
  }
  return Array.from(fingerprint, (part) => part.toString(16).padStart(signs / 4, '0'));
}

function sumsAcross(luma: Float64Array, wave: Float64Array): Float64Array {
  const { pixels } = crop;
  return Float64Array.from({ length: pixels }, (_, y) => {
    let sum = 0;
    for (let x = 0; x < pixels; x++) sum += (luma[y * pixels + x] as number) * (wave[x] as number);
    return sum;
  });
}

/** The luma of the crop, which is not rotated with the head: its tilt is one of the things that differ. */
function lumaAround(image: DecodedImage, points: Points, isMirrored: boolean): Float64Array {
  const { pixels, span } = crop;
  const { x, y, radius } = extentOf(points);
  const map = cropMap({ x, y, side: span * radius, angle: 0 }, pixels);
  return cropLuma(image, map, pixels, isMirrored);
}

/** Center of the mesh and root mean square distance from it: steadier than any few points. */
function extentOf(points: Points) {
  const count = points.length / 2;
  let [x, y, squares] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 2) {
    x += (points[i] as number) / count;
    y += (points[i + 1] as number) / count;
  }
  for (let i = 0; i < points.length; i += 2) {
    squares += ((points[i] as number) - x) ** 2 + ((points[i + 1] as number) - y) ** 2;
  }
  return { x, y, radius: Math.sqrt(squares / count) };
}
