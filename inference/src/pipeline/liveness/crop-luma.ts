import type { DecodedImage } from '../image/decoded-image';
import type { Affine } from '../image/geometry';

/** Position in a square of the pixel that mirrors another from left to right. @param size side of the square in pixels */
export const mirroredPixel = (i: number, size: number): number => i - 2 * (i % size) + size - 1;

/**
 * Rec. 601 luma of a square crop, row by row, 0 to 255.
 * @param map from the crop to the image
 * @param size side of the crop in pixels
 */
export function cropLuma(image: DecodedImage, map: Affine, size: number, isMirrored: boolean): Float64Array {
  const pixels = new Uint8Array(3 * size ** 2);
  image.sample(map, size, pixels);
  return Float64Array.from({ length: size ** 2 }, (_, i) => {
    const at = 3 * (isMirrored ? mirroredPixel(i, size) : i);
    return (
      0.299 * (pixels[at] as number) + 0.587 * (pixels[at + 1] as number) + 0.114 * (pixels[at + 2] as number)
    );
  });
}
