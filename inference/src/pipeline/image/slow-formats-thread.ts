/** The thread of `SlowDecoder`: decodes one image, and returns its frames shrunk. */
import type { DecodedImage } from './decoded-image';
import { drawFrames } from './gif';
import { isGif } from './gif-file';
import { decodeHeif } from './heif';
import { ImageError } from './image-error';
import { pixelsOf, sharp, shrink, shrinkInProfile } from './sharp';
import type { SlowResult, SlowTask } from './slow-formats';

export default async function decode({ bytes, maxSide, frames }: SlowTask): Promise<SlowResult> {
  const file = Buffer.from(bytes.buffer);
  try {
    const shrunk = isGif(file)
      ? await shrinkFrames(file, maxSide, frames)
      : [await shrinkHeif(file, maxSide)];
    return { ok: true, frames: shrunk.map(({ pixels, width, height }) => ({ pixels, width, height })) };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return { ok: false, fault: error.fault, values: error.values };
  }
}

async function shrinkFrames(file: Buffer, maxSide: number, frames: number): Promise<DecodedImage[]> {
  const shrunk: DecodedImage[] = [];
  // One after the other, because the canvas changes with the next frame.
  for (const { rgba, width, height } of drawFrames(file, frames)) {
    shrunk.push(await pixelsOf(shrink(raw(rgba, { width, height, channels: 4 }), maxSide)));
  }
  return shrunk;
}

function shrinkHeif(file: Buffer, maxSide: number): Promise<DecodedImage> {
  const { pixels, profile, ...size } = decodeHeif(file);
  const image = raw(pixels, size);
  return profile ? shrinkInProfile(image, maxSide, profile) : pixelsOf(shrink(image, maxSide));
}

const raw = (pixels: Uint8Array, size: { width: number; height: number; channels: 3 | 4 }) =>
  sharp(pixels, { raw: size, limitInputPixels: false });
