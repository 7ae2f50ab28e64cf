/** Limits of images, checked before anything is decoded. */
import limits from '@presenza/contract/limits.json';
import { ImageError } from './image-error';

const { maxPixels, maxSide, formats } = limits.image;

/** @param limit of the pixels, where it is lower than for every image. @throws ImageError */
export function checkSize(width: number, height: number, limit = maxPixels): void {
  if (Math.max(width, height) > maxSide) throw new ImageError('side', { width, height, limit: maxSide });
  const most = Math.min(maxPixels, limit);
  if (width * height > most) throw new ImageError('dimensions', { width, height, limit: most });
}

/** The most pixels of an image in a format. */
export const maxPixelsOf = (id: string): number =>
  formats.find((format) => format.id === id)?.maxPixels ?? maxPixels;
