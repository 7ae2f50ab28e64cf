/** Opens untrusted images of every supported format. */

import contract from '@presenza/contract/limits.json';
import { decodeImage, type ImageLimits } from './decode';
import type { DecodedImage } from './decoded-image';
import { type DecodingBudget, patient } from './decoding-budget';
import { isSlowFormat, SlowDecoder } from './slow-formats';

const { sampledFrames } = contract.image.animation;

/** The decoder of this thread; most threads need none. */
let slow: SlowDecoder | undefined;

/**
 * Opens an image upright, shrunk so that its longer side is at most `maxSide` pixels; of an animation its first frame.
 * @throws ImageError; DeadlineError or AbandonedError once nobody waits for the image
 */
export async function openImage(
  encoded: Uint8Array,
  maxSide: number,
  decoding: DecodingBudget = patient,
  limits?: ImageLimits,
): Promise<DecodedImage> {
  const [first] = await open(encoded, { maxSide, frames: 1, decoding, limits });
  return first as DecodedImage;
}

/**
 * Opens frames of a GIF, evenly spread from the first to the last, or the only image of another file.
 * @throws as `openImage` does
 */
export const openFrames = (
  encoded: Uint8Array,
  maxSide: number,
  decoding: DecodingBudget = patient,
): Promise<DecodedImage[]> => open(encoded, { maxSide, frames: sampledFrames, decoding });

interface Opening {
  readonly maxSide: number;
  /** Most frames to sample. */
  readonly frames: number;
  readonly decoding: DecodingBudget;
  /** They apply to JPEG, PNG and WebP. */
  readonly limits?: ImageLimits | undefined;
}

async function open(
  encoded: Uint8Array,
  { maxSide, frames, decoding, limits }: Opening,
): Promise<DecodedImage[]> {
  const file = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length);
  if (isSlowFormat(file)) {
    slow ??= new SlowDecoder();
    return slow.decode({ bytes: encoded, maxSide, frames }, decoding);
  }
  return [await decodeImage(encoded, maxSide, decoding, limits)];
}
