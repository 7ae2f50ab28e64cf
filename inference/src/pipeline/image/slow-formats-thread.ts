/** The thread of `SlowDecoder`: decodes one image, and returns its frames shrunk. */
import type { DecodedImage } from './decoded-image';
import { drawFrames } from './gif';
import { ImageError } from './image-error';
import { pixelsOf, sharp, shrink } from './sharp';
import type { SlowResult, SlowTask } from './slow-formats';

export default async function decode({ bytes, maxSide, frames }: SlowTask): Promise<SlowResult> {
  const shrunk: DecodedImage[] = [];
  try {
    // One after the other, because the canvas changes with the next frame.
    for (const { rgba, width, height } of drawFrames(Buffer.from(bytes.buffer), frames)) {
      const raw = sharp(rgba, { raw: { width, height, channels: 4 }, limitInputPixels: false });
      shrunk.push(await pixelsOf(shrink(raw, maxSide)));
    }
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return { ok: false, fault: error.fault, values: error.values };
  }
  return { ok: true, frames: shrunk.map(({ pixels, width, height }) => ({ pixels, width, height })) };
}
