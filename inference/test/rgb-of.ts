import type { DecodedImage } from '../src/pipeline/image/decoded-image';

/** The bytes of an image, width * height * 3, row-major. */
export function rgbOf({ pixels }: DecodedImage): Uint8Array {
  const bytes = new Uint8Array(3 * pixels.length);
  pixels.forEach((pixel, i) => {
    bytes.set([pixel & 0xff, (pixel >>> 8) & 0xff, (pixel >>> 16) & 0xff], 3 * i);
  });
  return bytes;
}
