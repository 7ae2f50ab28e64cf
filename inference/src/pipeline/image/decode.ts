/**
 * Decodes untrusted JPEG, PNG and WebP files to pixels. It checks the header before it decodes, allows no other loaders, and
 * shrinks on load or decodes row by row, so a photograph of 36 megapixels takes little memory. Files that do neither, such
 * as progressive JPEGs, have a limit of their own. Parts of a file that show nothing are removed unread.
 */
import type Sharp from 'sharp';
import type { DecodedImage } from './decoded-image';
import { type DecodingBudget, patient } from './decoding-budget';
import { ImageError, type ImageFault } from './image-error';
import { hasEnd, isJpeg, nextRestart, plainSize, warnsOnlyOfDamage } from './jpeg';
import { checkJpeg, maxScanMs } from './jpeg-check';
import { hasOneScan } from './jpeg-scans';
import { checkSize, maxPixelsOf, shrunkSide } from './limits';
import { pixelsOf, sharp, shrink } from './sharp';
import { isSlowWebp, isWebp, trim } from './trim';

/** Memory for decoding one image that cannot be decoded row by row. */
const maxDecodeBytes = 200e6;

/** Samples of all pixels of a PNG in bytes: each takes 4 to 6 ns, and twice that where it is interlaced. */
const maxSampleBytes = 60e6;

/** Limits of one image that are lower than those of a photograph. */
export interface ImageLimits {
  readonly maxPixels?: number;
  /** Milliseconds for the scans of a JPEG. */
  readonly maxScanMs?: number;
}

/**
 * Decodes an image upright (EXIF orientation applied), shrunk to the longer side of `shrunkSide`.
 * @throws ImageError; DeadlineError or AbandonedError once nobody waits for the image
 */
export async function decodeImage(
  encoded: Uint8Array,
  maxSide: number,
  decoding: DecodingBudget = patient,
  limits: ImageLimits = {},
): Promise<DecodedImage> {
  decoding.check();
  const bytes = trim(encoded);
  const scanMs = isJpeg(asBuffer(bytes)) ? checkJpeg(asBuffer(bytes), limits.maxScanMs ?? maxScanMs) : 0;
  const whole = withEnd(bytes);
  const plain = smallPlainSize(whole.bytes, maxSide);
  const header = plain ?? (await checkHeader(whole));
  decoding.check();
  const { width = 0, height = 0 } = header;
  const side = shrunkSide({ width, height }, maxSide);
  checkSize(width, height, limits.maxPixels);
  if (whole.otherwise && width * height > maxPixelsTwice) throw new ImageError('truncated');
  decoding.spend((whole.otherwise ? 2 : 1) * (scanMs + priceOf(bytes, header)));
  const decode = async (file: Whole) => {
    try {
      return await pixelsOf(plain ? openPlain(file, plain) : openAny(file, side), decoding);
    } catch (cause) {
      decoding.check();
      throw new ImageError(damage(bytes, cause as Error), {}, { cause });
    }
  };
  const image = await decode(whole);
  if (whole.otherwise && !haveEqualPixels(image, await decode(whole.otherwise)))
    throw new ImageError('truncated');
  return image;
}

/** Limit of an image that is decoded twice. */
const maxPixelsTwice = 32e6;

/** A file and how strictly it is decoded. */
interface Whole {
  readonly bytes: Uint8Array;
  readonly strictness: Sharp.FailOnOptions;
  /** A file that shows the same pixels, unless the first one is cut short. */
  readonly otherwise?: Whole;
}

/**
 * Adds the end marker that a JPEG lacks, without which the decoder refuses the last blocks although they are there. If they
 * are not, it warns that a scan ends early, but not in the last blocks of an only scan. There the file is decoded twice, with
 * other bytes behind its own, which show where blocks are missing.
 */
function withEnd(bytes: Uint8Array): Whole {
  const file = asBuffer(bytes);
  if (!isJpeg(file) || hasEnd(file) !== false) return { bytes, strictness: strictnessOf(file) };
  const strictness = 'warning';
  const ended = { bytes: Buffer.concat([file, endOfImage]), strictness } as const;
  if (!hasOneScan(file)) return ended;
  const restart = Buffer.from([0xff, nextRestart(file)]);
  const stuffing = Buffer.alloc(file.at(-1) === 0xff ? 1 : 0);
  const filled = Buffer.concat([file, stuffing, someBlocks, restart, someBlocks, endOfImage]);
  return { ...ended, otherwise: { bytes: filled, strictness } };
}

const endOfImage = Buffer.from([0xff, 0xd9]);
const someBlocks = Buffer.alloc(128, 0xa6);

const haveEqualPixels = (a: DecodedImage, b: DecodedImage) =>
  Buffer.from(a.pixels.buffer, a.pixels.byteOffset, a.pixels.byteLength).equals(
    Buffer.from(b.pixels.buffer, b.pixels.byteOffset, b.pixels.byteLength),
  );

/** Nanoseconds for a byte of the file and for a pixel, as measured; of a PNG for a byte of its samples. */
const prices: Readonly<Record<string, readonly [perByte: number, perPixel: number]>> = {
  jpeg: [40, 1.5],
  png: [5, 5],
  webp: [10, 6],
};

/** Milliseconds that an image takes beside its scans. */
function priceOf(bytes: Uint8Array, header: Header): number {
  const { format = 'jpeg', width = 0, height = 0 } = header;
  const [perByte, perPixel] = prices[format] ?? [0, 0];
  const samples = format === 'png' ? sampleBytes(header) : 1;
  return (perByte * bytes.length + perPixel * samples * width * height) / 1e6;
}

/** Bytes of one pixel of a PNG. Interlaced ones count twice. */
const sampleBytes = ({ channels = 4, depth, isProgressive }: Header) =>
  channels * (depth === 'ushort' ? 2 : 1) * (isProgressive ? 2 : 1);

type Header = Partial<
  Pick<Sharp.Metadata, 'width' | 'height' | 'format' | 'channels' | 'depth' | 'isProgressive'>
>;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a JPEG that needs no change after decoding, as webcams and browsers write them. */
function smallPlainSize(bytes: Uint8Array, maxSide: number): Size | undefined {
  const file = asBuffer(bytes);
  const size = isJpeg(file) ? plainSize(file) : undefined;
  return size && Math.max(size.width, size.height) <= shrunkSide(size, maxSide) ? size : undefined;
}

/** The limit refuses a file in which the decoder reads another size than we do. */
const openPlain = ({ bytes, strictness }: Whole, { width, height }: Size) =>
  open(bytes, strictness, width * height);

const openAny = ({ bytes, strictness }: Whole, maxSide: number) =>
  shrink(open(bytes, strictness).rotate(), maxSide);

/** Rejects by its header an image that must not be decoded. */
async function checkHeader({ bytes }: Whole): Promise<Header> {
  let header: Sharp.Metadata;
  try {
    header = await open(bytes).metadata();
  } catch (cause) {
    throw new ImageError(damage(bytes, cause as Error), {}, { cause });
  }
  const { format, width = 0, height = 0 } = header;
  // The decoder would notice only after it has decoded the rest.
  if (format === 'webp' && !isWebp(asBuffer(bytes))) throw new ImageError('truncated');
  checkSize(width, height, maxPixelsIn(bytes, header));
  return header;
}

/** The most pixels of an image whose header is known, by the memory and the time that its form takes. */
function maxPixelsIn(bytes: Uint8Array, header: Sharp.Metadata): number {
  const inMemory = Math.floor(maxDecodeBytes / wholeBytesPerPixel(header));
  const { format } = header;
  if (format === 'png') return Math.min(inMemory, Math.floor(maxSampleBytes / sampleBytes(header)));
  const isSlow = format === 'webp' && isSlowWebp(asBuffer(bytes));
  return isSlow ? Math.min(inMemory, maxSlowWebpPixels) : inMemory;
}

/** A decoder holds the whole image in colors, as that of HEIC does. */
const maxSlowWebpPixels = maxPixelsOf('heic');

/** Bytes per pixel that the decoder holds for the whole image; 0 where it works row by row. */
function wholeBytesPerPixel({
  format,
  isProgressive,
  chromaSubsampling,
  channels = 4,
  depth,
}: Sharp.Metadata): number {
  if (format === 'webp') return 4;
  if (!isProgressive) return 0;
  // The 16-bit coefficients of every scan of a progressive JPEG.
  if (format === 'jpeg') return chromaSubsampling === '4:2:0' ? 3 : 2 * channels;
  return channels * (depth === 'ushort' ? 2 : 1);
}

/**
 * JPEG has no checksums, so decoders conceal damage inside a scan and at most warn of it. The file is refused where a
 * warning can only mean damage. Measured at 1,536 pixels on 100 photographs of 6 KB to 2.5 MB, each damaged three times: with
 * 200 random bytes in their scans 281 of 300 sequential JPEGs are refused (0 if warnings are ignored) and 300 of 300
 * progressive ones (290); with one random byte, 36 of 300 (all visibly damaged; 123 damaged ones pass). Of 2,398
 * undamaged JPEGs none is refused, and decoding takes the same time.
 */
const open = (
  bytes: Uint8Array,
  failOn: Sharp.FailOnOptions = 'error',
  limitInputPixels: number | false = false,
) => sharp(bytes, { failOn, limitInputPixels });

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

const strictnessOf = (file: Buffer): Sharp.FailOnOptions =>
  isJpeg(file) && warnsOnlyOfDamage(file) ? 'warning' : 'error';

/**
 * The fault of bytes that could not be decoded, found in the file itself: libvips writes the messages of the whole process
 * into one buffer, so an error may mention other images.
 */
function damage(bytes: Uint8Array, cause: Error): ImageFault {
  // A fault of the service, not of the image.
  if (/out of memory/i.test(cause.message)) throw cause;
  const file = asBuffer(bytes);
  const start = file.toString('latin1', 0, 12);
  if (isJpeg(file)) return hasEnd(file) ? 'corrupt' : 'truncated';
  // A whole PNG has an IEND chunk; a whole WebP file is as long as its RIFF header says.
  if (start.startsWith('\x89PNG')) return file.includes('IEND', 8, 'latin1') ? 'corrupt' : 'truncated';
  if (/^RIFF....WEBP/s.test(start)) return file.readUInt32LE(4) + 8 > file.length ? 'truncated' : 'corrupt';
  return 'format';
}
