/** Checks from its markers that a JPEG has a coding that is supported, and that its scans take no longer than a photograph's. */
import { ImageError } from './image-error';
import { countScans, frameOf, isProgressive, type JpegFrame, type JpegScans } from './jpeg-scans';

/**
 * Most scans of a file. Encoders write about ten; the standard has no limit. The fuzz targets of libjpeg-turbo stop at 500
 * (fuzz/decompress.cc, TJPARAM_SCANLIMIT), and the report of the attack, LJT-01-005, could not imagine a real need for more
 * than 100 (bugzilla.redhat.com/1344214).
 */
const maxScans = 500;

/**
 * Nanoseconds that a scan takes for a block of a progressive frame, for a coefficient that it may refine, and for a block of
 * a sequential frame. Empty blocks of a progressive frame take half of the first; a scan holds thousands of them in a byte.
 */
const perBlock = 16;
const perRefined = 1.2;
const perSequentialBlock = 32;

/**
 * Milliseconds for the blocks of all scans. The ten scans that libjpeg writes by default take 320 for the largest image, a
 * progressive photograph of 64 megapixels in 4:2:0: they visit each block 8 times and 159 coefficients of it.
 */
export const maxScanMs = 330;

/**
 * Frames that are decoded: sequential and progressive, in Huffman coding. Other codings are rare in files and unknown to
 * browsers, and arithmetic coding stands for any number of blocks in a few bytes.
 */
const codings = new Set([0xc0, 0xc1, 0xc2]);

/**
 * @param mostMs for the scans.
 * @returns milliseconds that the scans take; 0 for a file without a frame, which the decoder refuses.
 * @throws ImageError
 */
export function checkJpeg(file: Buffer, mostMs: number): number {
  const frame = frameOf(file);
  if (!frame) return 0;
  if (!codings.has(frame.marker) || frame.precision !== 8) throw new ImageError('jpegCoding');
  const scans = countScans(file, frame, maxScans);
  const ms = scanMs(frame, scans);
  if (scans.count > maxScans || ms > mostMs) {
    const { width, height } = frame;
    throw new ImageError('scans', { scans: scans.count, width, height });
  }
  return ms;
}

const scanMs = (frame: JpegFrame, { blocks, refined }: JpegScans) =>
  (isProgressive(frame) ? perBlock * blocks + perRefined * refined : perSequentialBlock * blocks) / 1e6;
