/** Reads the marker segments of a JPEG file before it is decoded. */

/** Decoders skip bytes behind the start of an image (SOI), so no other byte decides. */
export const isJpeg = (file: Buffer): boolean => file[0] === 0xff && file[1] === 0xd8;

interface Segment {
  readonly marker: number;
  readonly start: number;
  /** Position after the last byte. */
  readonly end: number;
}

const frameBaseline = 0xc0;
const frameProgressive = 0xc2;
const firstRestart = 0xd0;
const restartInterval = 0xdd;
const startOfScan = 0xda;
const adobe = 0xee;

/** The segments up to the header of the first scan. Bytes between segments are skipped, as decoders do. */
function* segments(file: Buffer): Generator<Segment> {
  for (let at = 2; at + 4 <= file.length; ) {
    const marker = file[at + 1] as number;
    if (file[at] !== 0xff || marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + file.readUInt16BE(at + 2);
    yield { marker, start: at, end };
    if (marker === startOfScan) return;
    at = end;
  }
}

/** Comments, JFIF, tables, and the header of the frame and of its first scan. */
const plainMarkers = new Set([0xfe, 0xe0, 0xdb, 0xc4, restartInterval, frameBaseline, startOfScan]);

/**
 * The size of a file that shows its pixels as they are stored: a baseline frame of three channels, upright and without a color
 * profile. Undefined for any other file, as for one with a segment that may say otherwise.
 */
export function plainSize(file: Buffer): { readonly width: number; readonly height: number } | undefined {
  let size: { width: number; height: number } | undefined;
  let expectedStart = 2;
  for (const { marker, start, end } of segments(file)) {
    if (start !== expectedStart || !plainMarkers.has(marker)) return undefined;
    if (marker === startOfScan) return size;
    if (marker === frameBaseline) {
      // Precision, height, width and number of channels (ITU-T T.81, B.2.2).
      const isColor =
        end >= start + 10 && end <= file.length && file[start + 4] === 8 && file[start + 9] === 3;
      if (!isColor || size) return undefined;
      size = { height: file.readUInt16BE(start + 5), width: file.readUInt16BE(start + 7) };
      if (Math.min(size.height, size.width) === 0) return undefined;
    }
    expectedStart = end;
  }
  return undefined;
}

/**
 * Whether the file has an end marker after the start of its first scan; an earlier one belongs to a thumbnail. Undefined for
 * a file without a scan.
 */
export function hasEnd(file: Buffer): boolean | undefined {
  for (const { marker, start } of segments(file)) {
    if (marker === startOfScan) return file.includes('\xff\xd9', start, 'latin1');
  }
  return undefined;
}

/** The restart marker that follows the last one of a file. */
export function nextRestart(file: Buffer): number {
  for (let at = file.length - 2; at > 0; at--) {
    const marker = file[at + 1] as number;
    if (file[at] === 0xff && (marker & 0xf8) === firstRestart) return firstRestart | ((marker + 1) & 7);
  }
  return firstRestart;
}

/**
 * Whether a decoder's warning can only mean that a scan is damaged. Some cameras write intact photographs that cause
 * warnings: bytes between segments, scan parameters that the standard does not allow, unknown color transforms,
 * and padding before restart markers, which popular webcams write into every frame.
 */
export function warnsOnlyOfDamage(file: Buffer): boolean {
  let expectedStart = 2;
  let isProgressive = false;
  for (const { marker, start, end } of segments(file)) {
    if (start !== expectedStart || marker === restartInterval) return false;
    if (marker === adobe && !hasKnownTransform(file.subarray(start, end))) return false;
    isProgressive ||= marker === frameProgressive;
    // A sequential scan has the coefficients 0 to 63, without successive approximation (ITU-T T.81, table B.3).
    if (marker === startOfScan) return isProgressive || file.subarray(end - 3, end).equals(wholeBlock);
    expectedStart = end;
  }
  return false;
}

const wholeBlock = Buffer.from([0, 63, 0]);

/** Adobe's segment ends with the color transform: 0 for none, 1 for YCbCr. */
const hasKnownTransform = (segment: Buffer) =>
  segment.toString('latin1', 4, 9) !== 'Adobe' || (segment[15] ?? 0) <= 1;
