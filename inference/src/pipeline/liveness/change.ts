/** How much an image differs from the one before. A camera's noise makes every frame different. */
import type { DecodedImage } from '../image/decoded-image';

/** Compares every fourth pixel in both directions; averaging would hide the noise. */
const step = 4;

/**
 * Mean absolute difference of green, in levels of 0 to 255. Sensors and codecs preserve green best.
 * @returns undefined if the sizes differ.
 */
export function changeBetween(a: DecodedImage, b: DecodedImage): number | undefined {
  if (a.width !== b.width || a.height !== b.height) return undefined;
  let sum = 0;
  let count = 0;
  for (let y = 0; y < a.height; y += step) {
    for (let x = 0; x < a.width; x += step) {
      const at = y * a.width + x;
      sum += Math.abs(greenOf(a.pixels[at] as number) - greenOf(b.pixels[at] as number));
      count += 1;
    }
  }
  return sum / count;
}

const greenOf = (pixel: number) => (pixel >>> 8) & 0xff;

/** Below this change a frame repeats the one before; a still scene on a tripod has several times as much. */
export const duplicateChange = 0.05;
