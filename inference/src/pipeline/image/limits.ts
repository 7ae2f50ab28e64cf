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

/** An image with longer sides than this multiple of the shorter ones is shrunk less. */
const plainRatio = 3;
/** The longer side of any image as a multiple of that of one of plain shape. */
const maxStretch = 6;

/**
 * The longer side in pixels to which a larger image is shrunk: `maxSide`, or more for an image of extreme shape, which keeps
 * as many pixels as one of 3:1. Otherwise a face that is as high as a panorama would shrink to nothing.
 */
export function shrunkSide({ width, height }: Size, maxSide: number): number {
  const ratio = Math.max(width, height) / Math.min(width, height);
  return Math.round(maxSide * Math.min(maxStretch, Math.max(1, Math.sqrt(ratio / plainRatio))));
}

interface Size {
  readonly width: number;
  readonly height: number;
}
