/**
 * Counts what the scans of a JPEG make its decoder do, without decoding them (ITU-T T.81). A scan may stand for any number of
 * blocks in a few bytes, and a file may repeat scans, so neither its bytes nor its pixels bound the time to decode it.
 */

import { ImageError } from './image-error';

export interface JpegScans {
  /** Scans that the decoder reads, up to the limit and one more. */
  readonly count: number;
  /** Blocks of 8 x 8 coefficients that the decoder visits in all scans. */
  readonly blocks: number;
  /** Coefficients that scans look at again, to refine them, in all blocks. */
  readonly refined: number;
}

export type JpegFrame = {
  /** 0xc0 to 0xcf. */
  readonly marker: number;
  /** Bits of a sample. */
  readonly precision: number;
  readonly width: number;
  readonly height: number;
  readonly channels: readonly JpegChannel[];
};

interface JpegChannel {
  readonly id: number;
  /** Sampling factors, 1 to 4. */
  readonly across: number;
  readonly down: number;
}

/** A file of 5 MB that is full of profiles and metadata has a hundred. */
const maxSegments = 10_000;

/** Start of a JPEG-LS frame (ITU-T T.87). */
const frameLs = 0xf7;
export const startOfScan = 0xda;
const endOfImage = 0xd9;

/** C0 to CF, except tables and the extension among them. */
const startsFrame = (marker: number) =>
  marker === frameLs || (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker));

/** Markers without a length: a zero that marks no marker, others below C0, restarts, and the start of an image. */
const standsAlone = (marker: number) => marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8);

interface Segment {
  readonly marker: number;
  /** Position of the marker. */
  readonly at: number;
  /** Position after the segment. */
  readonly end: number;
}

/**
 * The segments of the whole file. Everything else is passed over: compressed data, restart markers, and bytes between
 * segments, which decoders skip.
 * @throws ImageError for more segments than a file needs
 */
export function* markers(file: Buffer): Generator<Segment> {
  let segments = 0;
  for (let at = 2; at + 1 < file.length; ) {
    // A plain loop, because compressed data may hold this byte at every second place.
    if (file[at] !== 0xff) {
      at += 1;
      continue;
    }
    const marker = file[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (standsAlone(marker)) {
      at += 2;
      continue;
    }
    if (marker === endOfImage || at + 4 > file.length) return;
    segments += 1;
    if (segments > maxSegments) throw new ImageError('corrupt');
    const end = at + 2 + file.readUInt16BE(at + 2);
    yield { marker, at, end };
    at = end;
  }
}

/** The header of the frame. @returns undefined if there is none in front of the first scan */
export function frameOf(file: Buffer): JpegFrame | undefined {
  for (const { marker, at, end } of markers(file)) {
    if (marker === startOfScan) return undefined;
    if (startsFrame(marker)) return readFrame(file, marker, at, end);
  }
  return undefined;
}

function readFrame(file: Buffer, marker: number, at: number, end: number): JpegFrame | undefined {
  const count = file[at + 9] ?? 0;
  if (end > file.length || end < at + 10 + 3 * count) return undefined;
  const channels = Array.from({ length: count }, (_, i) => {
    const start = at + 10 + 3 * i;
    const factors = file[start + 1] as number;
    return { id: file[start] as number, across: factors >> 4, down: factors & 15 };
  });
  const [height, width] = [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7)];
  return { marker, precision: file[at + 4] as number, width, height, channels };
}

/** @param most scans to count at most: the rest of the file is not read once it has more. */
export function countScans(file: Buffer, frame: JpegFrame, most: number): JpegScans {
  const sum = { count: 0, blocks: 0, refined: 0 };
  for (const { marker, at } of markers(file)) {
    if (marker !== startOfScan) continue;
    sum.count += 1;
    if (sum.count > most) break;
    const scan = readScan(file, frame, at);
    sum.blocks += scan.blocks;
    sum.refined += scan.refined;
    // The decoder decides by the first scan whether it reads the others: not if that one has all channels of a sequential frame.
    if (sum.count === 1 && scan.isWhole && !isProgressive(frame)) break;
  }
  return sum;
}

/** Whether the decoder shows rows as it reads the only scan, and does not read on once it has the last one. */
export function hasOneScan(file: Buffer): boolean {
  const frame = frameOf(file);
  if (!frame || isProgressive(frame)) return false;
  for (const { marker, at } of markers(file)) {
    if (marker === startOfScan) return readScan(file, frame, at).isWhole;
  }
  return false;
}

export const isProgressive = ({ marker }: JpegFrame) => marker === 0xc2 || marker === 0xca;

function readScan(file: Buffer, frame: JpegFrame, at: number) {
  const count = file[at + 4] ?? 0;
  const ids = Array.from({ length: count }, (_, i) => file[at + 5 + 2 * i]);
  const channels = frame.channels.filter(({ id }) => ids.includes(id));
  const after = at + 5 + 2 * count;
  const [from = 0, to = 63, approximation = 0] = file.subarray(after, after + 3);
  // Count the channels in the scan, because several may have one id.
  const blocks =
    count === 1
      ? Math.max(0, ...channels.map((channel) => blocksOf(frame, channel)))
      : blocksOfAll(frame, channels);
  const refines = isProgressive(frame) && approximation >> 4 > 0;
  return {
    blocks,
    refined: refines ? blocks * (Math.max(0, to - from) + 1) : 0,
    isWhole: count === frame.channels.length,
  };
}

const mostAcross = ({ channels }: JpegFrame) => Math.max(1, ...channels.map(({ across }) => across));
const mostDown = ({ channels }: JpegFrame) => Math.max(1, ...channels.map(({ down }) => down));

/** Blocks of a scan of one channel: those that hold its pixels. */
function blocksOf(frame: JpegFrame, { across, down }: JpegChannel): number {
  const columns = Math.ceil(Math.ceil((frame.width * across) / mostAcross(frame)) / 8);
  return columns * Math.ceil(Math.ceil((frame.height * down) / mostDown(frame)) / 8);
}

/** Blocks of a scan of several channels, in whole groups of the sampling factors. */
function blocksOfAll(frame: JpegFrame, channels: readonly JpegChannel[]): number {
  const groups =
    Math.ceil(frame.width / (8 * mostAcross(frame))) * Math.ceil(frame.height / (8 * mostDown(frame)));
  return groups * channels.reduce((sum, { across, down }) => sum + across * down, 0);
}
