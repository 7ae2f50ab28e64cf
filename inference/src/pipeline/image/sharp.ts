/** The image library, with only the loaders that are used, and the last step of decoding. */
import sharp from 'sharp';
import { DecodedImage } from './decoded-image';
import { patient } from './decoding-budget';
import { withProfile } from './png-profile';

sharp.cache(false);
// One thread per request; requests run in parallel on libuv's threads.
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});

export { sharp };

/** Shrinks an image so that its longer side is at most `maxSide` pixels, on white, in sRGB. */
export const shrink = (image: sharp.Sharp, maxSide: number): sharp.Sharp =>
  resize(image, maxSide).flatten({ background: '#fff' }).toColorspace('srgb');

const resize = (image: sharp.Sharp, maxSide: number) =>
  image.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' });

/**
 * The same for pixels whose colors are those of an ICC profile. The library reads a profile only from a file, so the
 * shrunk image takes the way through an uncompressed PNG.
 */
export async function shrinkInProfile(
  pixels: sharp.Sharp,
  maxSide: number,
  profile: Uint8Array,
): Promise<DecodedImage> {
  const png = await resize(pixels, maxSide).png({ compressionLevel: 0, adaptiveFiltering: false }).toBuffer();
  return pixelsOf(shrink(sharp(withProfile(png, profile)), maxSide));
}

/** The longest time limit of the library in seconds, which it takes for one without an end. */
const longestSeconds = 3_600;

/** @throws the library's error, also when the deadline ends its work */
export async function pixelsOf(image: sharp.Sharp, decoding = patient): Promise<DecodedImage> {
  const seconds = Math.ceil(Math.min(longestSeconds, Math.max(1, decoding.leftMs() / 1_000)));
  const { data, info } = await image
    .timeout({ seconds })
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return DecodedImage.fromRgba(data, info.width, info.height);
}
