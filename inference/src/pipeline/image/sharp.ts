/** The image library, with only the loaders that are used, and the last step of decoding. */
import sharp from 'sharp';
import { DecodedImage } from './decoded-image';

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
  image
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
    .flatten({ background: '#fff' })
    .toColorspace('srgb');

export async function pixelsOf(image: sharp.Sharp): Promise<DecodedImage> {
  const { data, info } = await image
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return DecodedImage.fromRgba(data, info.width, info.height);
}
