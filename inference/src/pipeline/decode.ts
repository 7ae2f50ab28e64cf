/**
 * From untrusted bytes to pixels. The header is checked before anything is decoded, only JPEG, PNG and WebP loaders
 * exist, and decoding shrinks on load or goes row by row, so a photograph of 36 megapixels costs little. What can do
 * neither is limited by the memory that it would take, and compressed comments are cut out unread.
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

const { maxPixels } = limits.image;
/** Memory that one picture may take to decode where its form allows no decoding row by row. */
const maxDecodeBytes = 200e6;
const formats = new Set(limits.image.formats.map(({ id }) => id));

/**
 * Decodes an image upright (EXIF orientation applied), shrunk so that its longer side is at most `maxSide` pixels.
 * @throws ImageError
 */
export async function decodePicture(encoded: Uint8Array, maxSide: number): Promise<Picture> {
  const bytes = withoutComments(encoded);
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

/** Refuses by the header alone what must not be decoded. */
async function checkHeader(bytes: Uint8Array): Promise<void> {
  let header: sharp.Metadata;
  try {
    header = await open(bytes).metadata();
  } catch (cause) {
    throw new ImageError(damage(bytes, cause as Error), {}, { cause });
  }
  const { format = '', width = 0, height = 0 } = header;
  if (!formats.has(format)) throw new ImageError('format');
  const limit = Math.min(maxPixels, Math.floor(maxDecodeBytes / wholeBytesPerPixel(header)));
  if (width * height > limit) throw new ImageError('dimensions', { width, height, limit });
}

/** Bytes per pixel that a decoder must hold for the whole picture at once; 0 where it works row by row. */
function wholeBytesPerPixel({
  format,
  isProgressive,
  chromaSubsampling,
  channels = 4,
  depth,
}: sharp.Metadata): number {
  if (format === 'webp') return 4;
  if (!isProgressive) return 0;
  // The 16-bit coefficients of every scan of a progressive JPEG.
  if (format === 'jpeg') return chromaSubsampling === '4:2:0' ? 3 : 2 * channels;
  return channels * (depth === 'ushort' ? 2 : 1);
}

const open = (bytes: Uint8Array) => sharp(bytes, { failOn: 'error', limitInputPixels: false });

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Chunks whose text may unfold to megabytes each, and which show nothing. */
const commentChunks = new Set(['tEXt', 'zTXt', 'iTXt']);

/** A PNG without its text chunks; any other file as it is. */
export function withoutComments(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!file.subarray(0, 8).equals(pngSignature)) return bytes;
  const kept: Buffer[] = [pngSignature];
  let cut = false;
  for (let at = 8; at < file.length; ) {
    const isWhole = at + 8 <= file.length;
    // Length, type and checksum take twelve bytes beside the data.
    const end = isWhole ? at + 12 + file.readUInt32BE(at) : file.length;
    const isComment = isWhole && commentChunks.has(file.toString('latin1', at + 4, at + 8));
    if (isComment) cut = true;
    else kept.push(file.subarray(at, end));
    at = end;
  }
  return cut ? Buffer.concat(kept) : bytes;
}

/** What is wrong with bytes that could not be decoded. */
function damage(bytes: Uint8Array, cause: Error): ImageFault {
  // Ours, not the sender's.
  if (/memory|allocat/i.test(cause.message)) throw cause;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = file.toString('latin1', 0, 12);
  if (start.startsWith('\xff\xd8\xff')) return hasJpegEnd(file) ? 'corrupt' : 'truncated';
  // A whole PNG ends with its IEND chunk; a whole WebP file is as long as its RIFF header says.
  if (start.startsWith('\x89PNG')) return file.includes('IEND', -12, 'latin1') ? 'corrupt' : 'truncated';
  if (/^RIFF....WEBP/s.test(start)) return file.readUInt32LE(4) + 8 > file.length ? 'truncated' : 'corrupt';
  return 'format';
}

/**
 * Whether an end marker follows the last start of a scan; both may also stand in a thumbnail before it, but not inside
 * a scan. libvips says so too, but keeps its messages in one place for all threads: under load they get mixed up.
 */
function hasJpegEnd(file: Buffer): boolean {
  const scan = file.lastIndexOf('\xff\xda', undefined, 'latin1');
  return scan >= 0 && file.includes('\xff\xd9', scan, 'latin1');
}
