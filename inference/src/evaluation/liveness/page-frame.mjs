/** Makes a frame what the hosted page would send of it. */
import sharp from 'sharp';
import { limits } from './product.mjs';

const { minWidth, maxBytes } = limits.frame;
/** Pixels of the longer side of the page's frames. */
const SIDE = 640;
/** The page's qualities: the next one where an image exceeds the limit in bytes. */
const QUALITIES = [80, 60, 40];

/**
 * A JPEG of the page's size stays as it is. Other images are scaled and encoded like the page's.
 * @param {Buffer} bytes an encoded image
 * @throws Error where it cannot be decoded
 */
export async function asPageSends(bytes) {
  const { format, autoOrient } = await sharp(bytes).metadata();
  const { width, height } = autoOrient;
  const scale = Math.max(Math.min(SIDE / Math.max(width, height), 1), minWidth / width);
  if (format === 'jpeg' && scale === 1 && bytes.length <= maxBytes) return bytes;
  const scaled = sharp(bytes)
    .autoOrient()
    .resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' });
  for (const quality of QUALITIES) {
    const jpeg = await scaled.clone().jpeg({ quality }).toBuffer();
    if (jpeg.length <= maxBytes) return jpeg;
  }
  throw new Error('The image exceeds the limit of a frame.');
}
