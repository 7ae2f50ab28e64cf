/**
 * From untrusted bytes to pixels. The header is checked before anything is decoded, only JPEG, PNG and WebP loaders
 * exist, and decoding shrinks on load, so a photograph of 36 megapixels costs little and a bomb costs nothing.
 */
import limits from '@presenza/contract/limits.json';
import sharp from 'sharp';
import { Picture } from './picture';

sharp.cache(false);
// One request, one thread: requests run beside each other on libuv's threads instead.
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});

/** Why an image was refused; the names are reasons of INVALID_IMAGE in the contract. */
export type ImageFault = 'format' | 'corrupt' | 'truncated' | 'dimensions';

export class ImageError extends Error {
  override readonly name = 'ImageError';
  constructor(
    readonly fault: ImageFault,
    /** Numbers for the text of the reason. */
    readonly values: Readonly<Record<string, number>> = {},
    options?: ErrorOptions,
  ) {
    super(`Image refused: ${fault}`, options);
  }
}

export interface Pixels {
  /** RGB, row-major, width * height * 3 bytes. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Picture fitted into a square from its top left corner; the rest is black. */
export interface SquarePixels extends Pixels {
  /** Part of the square's width and height that the picture fills, 0 to 1. */
  readonly filled: { readonly width: number; readonly height: number };
}

const { maxPixels } = limits.image;
const formats = new Set(limits.image.formats.map(({ id }) => id));

/**
 * Decodes an image upright (EXIF orientation applied), shrunk so that its longer side is at most `maxSide` pixels.
 * @throws ImageError
 */
export async function decodePicture(bytes: Uint8Array, maxSide: number): Promise<Picture> {
  await checkHeader(bytes);
  try {
    const { data, info } = await open(bytes)
      .rotate()
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return new Picture(data, info.width, info.height);
  } catch (cause) {
    throw new ImageError(damage(bytes, cause as Error), {}, { cause });
  }
}

/**
 * Decodes an image upright (EXIF orientation applied) into a square of `side` pixels.
 * @throws ImageError
 */
export async function decodeSquare(bytes: Uint8Array, side: number): Promise<SquarePixels> {
  const size = await checkHeader(bytes);
  try {
    const { data } = await open(bytes)
      .rotate()
      .resize(side, side, { fit: 'contain', position: 'left top', background: '#000', kernel: 'linear' })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const longest = Math.max(size.width, size.height);
    const filled = { width: size.width / longest, height: size.height / longest };
    return { data, width: side, height: side, filled };
  } catch (cause) {
    throw new ImageError(damage(bytes, cause as Error), {}, { cause });
  }
}

/** Refuses by the header alone what must not be decoded. */
async function checkHeader(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  let header: sharp.Metadata;
  try {
    header = await open(bytes).metadata();
  } catch (cause) {
    throw new ImageError(damage(bytes, cause as Error), {}, { cause });
  }
  const { format = '', width = 0, height = 0, orientation = 1 } = header;
  if (!formats.has(format)) throw new ImageError('format');
  if (width * height > maxPixels) throw new ImageError('dimensions', { width, height, limit: maxPixels });
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

const open = (bytes: Uint8Array) => sharp(bytes, { failOn: 'error', limitInputPixels: false });

/** What is wrong with bytes that could not be decoded. */
function damage(bytes: Uint8Array, cause: Error): ImageFault {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = file.toString('latin1', 0, 12);
  if (start.startsWith('\xff\xd8\xff'))
    return cause.message.includes('premature end') ? 'truncated' : 'corrupt';
  // A whole PNG ends with its IEND chunk; a whole WebP file is as long as its RIFF header says.
  if (start.startsWith('\x89PNG')) return file.includes('IEND', -12, 'latin1') ? 'corrupt' : 'truncated';
  if (/^RIFF....WEBP/s.test(start)) return file.readUInt32LE(4) + 8 > file.length ? 'truncated' : 'corrupt';
  return 'format';
}
