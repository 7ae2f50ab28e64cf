/** Opens untrusted images of every supported format. */

import limits from '@presenza/contract/limits.json';
import { decodeImage } from './decode';
import type { DecodedImage } from './decoded-image';
import { isSlowFormat, SlowDecoder } from './slow-formats';

const { sampledFrames } = limits.image.animation;

/** Of this thread; most need none. */
let slow: SlowDecoder | undefined;

/**
 * Opens an image upright, shrunk so that its longer side is at most `maxSide` pixels; of an animation its first frame.
 * @throws ImageError
 */
export async function openImage(encoded: Uint8Array, maxSide: number): Promise<DecodedImage> {
  const [first] = await open(encoded, maxSide, 1);
  return first as DecodedImage;
}

/**
 * Opens frames of a GIF, evenly spread from the first to the last, or the only image of another file.
 * @throws ImageError
 */
export const openFrames = (encoded: Uint8Array, maxSide: number): Promise<DecodedImage[]> =>
  open(encoded, maxSide, sampledFrames);

async function open(encoded: Uint8Array, maxSide: number, frames: number): Promise<DecodedImage[]> {
  const file = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length);
  if (isSlowFormat(file)) {
    slow ??= new SlowDecoder();
    return slow.decode({ bytes: encoded, maxSide, frames });
  }
  return [await decodeImage(encoded, maxSide)];
}
