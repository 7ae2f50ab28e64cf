/** The thread of `SlowDecoder`: decodes one image, and returns its frames shrunk. */
import type { DecodedImage } from './decoded-image';
import type { DecodingBudget } from './decoding-budget';
import { drawFrames } from './gif';
import { isGif } from './gif-file';
import { decodeHeif } from './heif';
import { ImageError } from './image-error';
import { shrunkSide } from './limits';
import { pixelsOf, sharp, shrink, shrinkInProfile } from './sharp';
import type { SlowResult, SlowTask } from './slow-formats';

export default async function decode({ bytes, maxSide, frames }: SlowTask): Promise<SlowResult> {
  const file = Buffer.from(bytes.buffer);
  let priceMs = 0;
  const spend = (ms: number) => {
    priceMs = ms;
  };
  try {
    const shrunk = isGif(file)
      ? await shrinkFrames(file, { maxSide, frames, spend })
      : [await shrinkHeif(file, { maxSide, spend })];
    const pixels = shrunk.map((frame) => ({
      pixels: frame.pixels,
      width: frame.width,
      height: frame.height,
    }));
    return { ok: true, priceMs, frames: pixels };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return { ok: false, priceMs, fault: error.fault, values: error.values };
  }
}

interface Shrinking {
  readonly maxSide: number;
  /** Called with the price before anything is decoded. */
  readonly spend: DecodingBudget['spend'];
}

async function shrinkFrames(
  file: Buffer,
  { maxSide, frames, spend }: Shrinking & { readonly frames: number },
): Promise<DecodedImage[]> {
  const shrunk: DecodedImage[] = [];
  // One after the other, because the canvas changes with the next frame.
  for (const { rgba, width, height } of drawFrames(file, frames, spend)) {
    const side = shrunkSide({ width, height }, maxSide);
    shrunk.push(await pixelsOf(shrink(raw(rgba, { width, height, channels: 4 }), side)));
  }
  return shrunk;
}

function shrinkHeif(file: Buffer, { maxSide, spend }: Shrinking): Promise<DecodedImage> {
  const { pixels, profile, ...size } = decodeHeif(file, { spend });
  const image = raw(pixels, size);
  const side = shrunkSide(size, maxSide);
  return profile ? shrinkInProfile(image, side, profile) : pixelsOf(shrink(image, side));
}

const raw = (pixels: Uint8Array, size: { width: number; height: number; channels: 3 | 4 }) =>
  sharp(pixels, { raw: size, limitInputPixels: false });
