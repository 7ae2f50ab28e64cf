/**
 * Files of each format that an attacker would make after reading the decoders: small to send and costly to decode, or
 * costly to refuse. Every file is at most as large as an image may be.
 */
// cspell:ignore parf curf cvst mpet mluc wtpt scnr acsp Paeth

import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import limits from '@presenza/contract/limits.json';
import sharp from 'sharp';
import { insert, join, jpegSegment, pngChunk, riffChunk } from './containers';
import { compress, gifHeader, subBlocks } from './gif';
import { writeHeif } from './heif';

export interface Bomb {
  readonly name: string;
  readonly outcome: Outcome;
  /** Draws the file, which takes megabytes. */
  readonly make: () => Buffer | Promise<Buffer>;
}

/** A bomb leads to a fault or to pixels. */
export type Outcome =
  | 'scans'
  | 'jpegCoding'
  | 'corrupt'
  | 'dimensions'
  | 'animation'
  | 'truncated'
  | 'decoded';

const { maxBytes } = limits.image;
const mostBytes = maxBytes - 4_096;

/** Writes bits, highest first, without the stuffing that JPEG needs after 0xff. */
class BitWriter {
  private readonly bytes: number[] = [];
  private held = 0;
  private count = 0;

  put(value: number, bits: number): void {
    for (let i = bits - 1; i >= 0; i--) {
      this.held = (this.held << 1) | ((value >> i) & 1);
      this.count += 1;
      if (this.count === 8) {
        this.bytes.push(this.held);
        if (this.held === 0xff) this.bytes.push(0);
        this.held = 0;
        this.count = 0;
      }
    }
  }

  /** Ends with zeros. */
  end(): Buffer {
    while (this.count > 0) this.put(0, 1);
    return Buffer.from(this.bytes);
  }
}

const start = Buffer.from([0xff, 0xd8]);
const end = Buffer.from([0xff, 0xd9]);
const quantization = jpegSegment(0xdb, Buffer.from([0, ...Array(64).fill(1)]));

interface JpegFrame {
  readonly width: number;
  readonly height: number;
  /** Sampling factors of each channel, in four bits each. */
  readonly sampling: readonly number[];
  /** 0xc0 baseline, 0xc2 progressive, 0xc9 arithmetic, 0xca both. */
  readonly marker: number;
}

function jpegFrame({ width, height, sampling, marker }: JpegFrame): Buffer {
  const data = Buffer.alloc(6 + 3 * sampling.length);
  data[0] = 8;
  data.writeUInt16BE(height, 1);
  data.writeUInt16BE(width, 3);
  data[5] = sampling.length;
  for (const [i, factors] of sampling.entries()) data.set([i + 1, factors, 0], 6 + 3 * i);
  return jpegSegment(marker, data);
}

/** A Huffman table of one symbol, whose code is a single 0. @param id 0x00 for DC, 0x10 for AC */
const oneSymbol = (id: number, symbol: number) =>
  jpegSegment(0xc4, Buffer.from([id, 1, ...Array(15).fill(0), symbol]));

/** The header of a scan of some channels, counted from 1. @param approximation the high and the low bit, in four bits each */
const scanHeader = (channels: readonly number[], from: number, to: number, approximation: number) =>
  jpegSegment(
    0xda,
    Buffer.from([channels.length, ...channels.flatMap((channel) => [channel, 0]), from, to, approximation]),
  );

const blocksOf = ({ width, height }: { width: number; height: number }) =>
  Math.ceil(width / 8) * Math.ceil(height / 8);

/** Runs of blocks without coefficients, which take 15 bits for 32,767 blocks. */
function emptyScan(blocks: number): Buffer {
  const bits = new BitWriter();
  for (let left = blocks; left > 0; ) {
    const run = Math.min(left, 32_767);
    // The only code stands for runs of 2 ** 14 blocks and more; the last one may go past the end.
    bits.put(0, 1);
    bits.put(Math.max(0, run - 16_384), 14);
    left -= Math.max(run, 16_384);
  }
  return bits.end();
}

interface ScansSpec {
  readonly width: number;
  readonly height: number;
  readonly scans: number;
  /** Whether the scans refine one bit after the other, which looks at every coefficient. */
  readonly refines?: boolean;
  readonly arithmetic?: boolean;
}

/** A gray progressive JPEG with one scan of means, of one bit a block, and many empty ones behind it. */
export function manyScansJpeg({
  width,
  height,
  scans,
  refines = false,
  arithmetic = false,
}: ScansSpec): Buffer {
  const blocks = blocksOf({ width, height });
  const body = arithmetic ? Buffer.alloc(2) : emptyScan(blocks);
  const levels = 13;
  const headers = Array.from({ length: levels + 1 }, (_, step) => {
    // The first scan of a band, of its 13th bit; then each one below.
    const approximation = step === 0 ? levels : ((levels + 1 - step) << 4) | (levels - step);
    return scanHeader([1], 1, 63, refines ? approximation : 0);
  });
  return Buffer.concat([
    start,
    quantization,
    jpegFrame({ width, height, sampling: [0x11], marker: arithmetic ? 0xca : 0xc2 }),
    oneSymbol(0x00, 0),
    oneSymbol(0x10, 0xe0),
    scanHeader([1], 0, 0, 0),
    arithmetic ? Buffer.alloc(2) : Buffer.alloc(Math.ceil(blocks / 8)),
    ...Array.from({ length: scans }, (_, i) => [headers[i % headers.length] as Buffer, body]).flat(),
    end,
  ]);
}

interface ScanOf {
  /** Counted from 1. */
  readonly channels: readonly number[];
  /** Whether it has no data, so that the decoder takes all of its blocks for zeros and warns. */
  readonly isEmpty?: boolean;
}

interface SequentialSpec {
  readonly width: number;
  readonly height: number;
  readonly scans: readonly ScanOf[];
  /** Bytes in front of the first scan. */
  readonly more?: readonly Buffer[];
}

/** A sequential JPEG of three channels of full size in the given scans: two bits for each block. */
export function sequentialJpeg({ width, height, scans, more = [] }: SequentialSpec): Buffer {
  const blocks = blocksOf({ width, height });
  const bodies = [1, 2, 3].map((channels) => Buffer.alloc(Math.ceil((channels * blocks) / 4)));
  return Buffer.concat([
    start,
    quantization,
    jpegFrame({ width, height, sampling: [0x11, 0x11, 0x11], marker: 0xc0 }),
    oneSymbol(0x00, 0),
    oneSymbol(0x10, 0),
    ...more,
    ...scans.flatMap(({ channels, isEmpty }) => [
      scanHeader(channels, 0, 63, 0),
      ...(isEmpty ? [] : [bodies[channels.length - 1] as Buffer]),
    ]),
    end,
  ]);
}

const allChannels = [1, 2, 3];

/** The most scans that fit, each of which repeats one channel. */
export const repeatedScansJpeg = (size: { width: number; height: number }): Buffer =>
  sequentialJpeg({
    ...size,
    scans: Array.from({ length: Math.floor(mostBytes / (10 + blocksOf(size) / 4 + 1)) }, (_, i) => ({
      channels: [1 + (i % 3)],
    })),
  });

/** Makes the decoder accept scans that end early, as it does where cameras pad their restarts. */
const longRestartInterval = jpegSegment(0xdd, Buffer.from([0xff, 0xff]));

/** A scan of one channel, without which the decoder would end with the next one, and scans of all channels. */
const lateWholeScansJpeg = (size: { width: number; height: number }, full: number, empty: number): Buffer =>
  sequentialJpeg({
    ...size,
    scans: [
      { channels: [1] },
      ...Array(full).fill({ channels: allChannels }),
      ...Array(empty).fill({ channels: allChannels, isEmpty: true }),
    ],
    more: [longRestartInterval],
  });

/** One interleaved scan of all channels, zeros only. */
function flatJpeg(
  frame: JpegFrame,
  groups: number,
  blocksPerGroup: number,
  more: readonly Buffer[] = [],
): Buffer {
  return Buffer.concat([
    start,
    ...more,
    quantization,
    jpegFrame(frame),
    oneSymbol(0x00, 0),
    oneSymbol(0x10, 0),
    scanHeader(
      frame.sampling.map((_, i) => i + 1),
      0,
      63,
      0,
    ),
    Buffer.alloc(Math.ceil((groups * blocksPerGroup) / 4)),
    end,
  ]);
}

/** A small valid JPEG with as many further segments as fit, all in front of its frame. */
const withSegments = (segment: Buffer): Buffer => {
  const count = Math.floor(mostBytes / segment.length);
  return flatJpeg(
    { width: 64, height: 64, sampling: [0x11], marker: 0xc0 },
    64,
    1,
    Array(count).fill(segment),
  );
};

/** A restart marker behind every block. */
function restartJpeg(width: number, height: number): Buffer {
  const blocks = blocksOf({ width, height });
  const body = Buffer.alloc(3 * blocks);
  for (let i = 0; i < blocks; i++) {
    body[3 * i + 1] = 0xff;
    body[3 * i + 2] = 0xd0 + (i % 8);
  }
  return Buffer.concat([
    start,
    quantization,
    jpegFrame({ width, height, sampling: [0x11], marker: 0xc0 }),
    oneSymbol(0x00, 0),
    oneSymbol(0x10, 0),
    jpegSegment(0xdd, Buffer.from([0, 1])),
    scanHeader([1], 0, 63, 0),
    body.subarray(0, body.length - 2),
    end,
  ]);
}

/** EXIF of as many entries as fit into a segment, each of which refers to all of its data. */
function exifOfEntries(bytes: number): Buffer {
  const count = Math.floor((bytes - 20) / 12);
  const data = Buffer.alloc(bytes - 6);
  data.write('MM\0*\0\0\0\x08', 'latin1');
  data.writeUInt16BE(count, 8);
  for (let i = 0; i < count; i++) {
    const at = 10 + 12 * i;
    // Different tags of ASCII, from the description of the image on.
    data.writeUInt16BE(0x010e + (i % 0x3000), at);
    data.writeUInt16BE(2, at + 2);
    data.writeUInt32BE(data.length - 16, at + 4);
    data.writeUInt32BE(8, at + 8);
  }
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), data]);
}

/** A color profile whose transform is a chain of as many curves as fit: each color passes all of them. */
export function chainProfile(bytes: number): Buffer {
  // A sampled curve set of one segment for each channel: y = (a x + b) ** g + c.
  const segment = Buffer.alloc(12 + 4 + 16);
  segment.write('parf', 0, 'latin1');
  segment.writeUInt16BE(0, 8);
  segment.writeFloatBE(1.01, 12);
  segment.writeFloatBE(1, 16);
  segment.writeFloatBE(0.001, 20);
  segment.writeFloatBE(0, 24);
  const curve = Buffer.concat([Buffer.from('curf\0\0\0\0\0\x01\0\0', 'latin1'), segment.subarray(0, 28)]);
  const element = Buffer.alloc(12 + 3 * 8 + curve.length);
  element.write('cvst', 0, 'latin1');
  element.writeUInt16BE(3, 8);
  element.writeUInt16BE(3, 10);
  for (let i = 0; i < 3; i++) {
    element.writeUInt32BE(36, 12 + 8 * i);
    element.writeUInt32BE(curve.length, 16 + 8 * i);
  }
  curve.copy(element, 36);
  const count = Math.floor((bytes - 600) / (element.length + 8));
  const table = Buffer.alloc(16 + 8 * count);
  table.write('mpet', 0, 'latin1');
  table.writeUInt16BE(3, 8);
  table.writeUInt16BE(3, 10);
  table.writeUInt32BE(count, 12);
  for (let i = 0; i < count; i++) {
    table.writeUInt32BE(table.length + i * element.length, 16 + 8 * i);
    table.writeUInt32BE(element.length, 20 + 8 * i);
  }
  const chain = Buffer.concat([table, ...Array(count).fill(element)]);
  const xyz = Buffer.alloc(20);
  xyz.write('XYZ ', 'latin1');
  xyz.writeInt32BE(0xf6d6, 8);
  xyz.writeInt32BE(0x10000, 12);
  xyz.writeInt32BE(0xd32d, 16);
  const description = Buffer.alloc(40);
  description.write('mluc', 'latin1');
  description.writeUInt32BE(1, 8);
  description.writeUInt32BE(12, 12);
  description.write('enUS', 16, 'latin1');
  description.writeUInt32BE(2, 20);
  description.writeUInt32BE(28, 24);
  description.write('\0p', 28, 'latin1');
  const tags: readonly (readonly [string, Buffer])[] = [
    ['desc', description],
    ['cprt', description],
    ['wtpt', xyz],
    ['D2B0', chain],
    ['A2B0', smallTable()],
  ];
  const head = Buffer.alloc(128 + 4 + 12 * tags.length);
  head.writeUInt32BE(0x04400000, 8);
  head.write('scnrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  head.writeInt32BE(0xf6d6, 68);
  head.writeInt32BE(0x10000, 72);
  head.writeInt32BE(0xd32d, 76);
  head.writeUInt32BE(tags.length, 128);
  let at = head.length;
  for (const [i, [name, data]] of tags.entries()) {
    head.write(name, 132 + 12 * i, 'latin1');
    head.writeUInt32BE(at, 136 + 12 * i);
    head.writeUInt32BE(data.length, 140 + 12 * i);
    at += data.length;
  }
  const profile = Buffer.concat([head, ...tags.map(([, data]) => data)]);
  profile.writeUInt32BE(profile.length, 0);
  return profile;
}

/** The transform of eight bits that every profile of a scanner has: two grid points a channel. */
function smallTable(): Buffer {
  const head = Buffer.alloc(48);
  head.write('mft1', 'latin1');
  head.set([3, 3, 2], 8);
  for (const i of [0, 4, 8]) head.writeInt32BE(0x10000, 12 + 4 * i);
  const ramp = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  const corners = Buffer.from(
    Array.from({ length: 8 }, (_, i) => [i & 4, i & 2, i & 1].map((bit) => (bit ? 255 : 0))).flat(),
  );
  return Buffer.concat([head, ramp, ramp, ramp, corners, ramp, ramp, ramp]);
}

/** The profile in the segments of a JPEG, of 64 KB each. */
export function profileSegments(profile: Buffer): Buffer[] {
  const part = 65_000;
  const count = Math.ceil(profile.length / part);
  return Array.from({ length: count }, (_, i) =>
    jpegSegment(
      0xe2,
      Buffer.concat([
        Buffer.from('ICC_PROFILE\0', 'latin1'),
        Buffer.from([i + 1, count]),
        profile.subarray(i * part, (i + 1) * part),
      ]),
    ),
  );
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

interface PngFrame {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGB with alpha. */
  readonly colorType: number;
  readonly interlaced?: boolean;
}

const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

const rowBytesOf = ({ width, depth, colorType }: PngFrame) =>
  1 + Math.ceil((width * depth * (channelsOf[colorType] as number)) / 8);

/** A PNG around pixels that are compressed already. */
function png(frame: PngFrame, pixels: readonly Buffer[], before: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(frame.width, 0);
  header.writeUInt32BE(frame.height, 4);
  header.set([frame.depth, frame.colorType, 0, 0, frame.interlaced ? 1 : 0], 8);
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    ...before,
    ...pixels.map((data) => pngChunk('IDAT', data)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A row again and again, compressed without the memory for all of them. */
function compressedRows(row: Buffer, count: number): Buffer {
  // A full flush ends at a byte and refers to nothing before, so that the part may be repeated.
  const part = deflateRawSync(row, { finishFlush: constants.Z_FULL_FLUSH });
  const modulus = 65_521;
  const sum = row.reduce((total, byte) => total + byte, 0);
  const weighted = row.reduce((total, byte, i) => total + (row.length - i) * byte, 0);
  let [a, b] = [1, 0];
  for (let i = 0; i < count; i++) {
    b = (b + row.length * a + weighted) % modulus;
    a = (a + sum) % modulus;
  }
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE(b, 0);
  checksum.writeUInt16BE(a, 2);
  return Buffer.concat([Buffer.from([0x78, 1]), ...Array(count).fill(part), Buffer.from([3, 0]), checksum]);
}

/** Rows of zeros, whose filter refers to the row above and the pixel before: Paeth. */
function pngOfZeros(frame: PngFrame, before: readonly Buffer[] = []): Buffer {
  const row = Buffer.alloc(rowBytesOf(frame));
  row[0] = 4;
  return png(frame, [compressedRows(row, frame.height)], before);
}

/** The seven passes of an interlaced PNG take some more bytes for their filters. */
const interlacedPng = (frame: PngFrame): Buffer =>
  png({ ...frame, interlaced: true }, [compressedRows(Buffer.alloc(rowBytesOf(frame)), frame.height + 9)]);

const smallPng: PngFrame = { width: 64, height: 64, depth: 8, colorType: 2 };
const smallRows = deflateSync(Buffer.alloc(rowBytesOf(smallPng) * smallPng.height));

/** Every byte of the pixels in a chunk of its own, behind empty chunks up to the limit. */
const tinyChunksPng = (): Buffer =>
  png(
    smallPng,
    [...smallRows].map((byte) => Buffer.from([byte])),
    Array(Math.floor(mostBytes / 12) - 14 * smallRows.length).fill(pngChunk('IDAT', Buffer.alloc(0))),
  );

/** A profile of zeros that expands a thousandfold. */
const expandingProfilePng = (): Buffer => {
  const profile = Buffer.alloc(64_000_000);
  profile.writeUInt32BE(profile.length, 0);
  return png(
    smallPng,
    [smallRows],
    [pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(profile)]))],
  );
};

/** The most chunks of a profile that fit, in front of the pixels. @param data compressed */
const profilesPng = (data: Buffer, most: number): Buffer => {
  const chunk = pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0', 'latin1'), data]));
  return png(
    smallPng,
    [smallRows],
    Array(Math.min(most, Math.floor(mostBytes / chunk.length) - 1)).fill(chunk),
  );
};

/** Blocks of deflate that hold nothing but their Huffman tables, in front of the pixels. */
function emptyBlocksPng(): Buffer {
  // Numbers with their lowest bit first (RFC 1951, 3.1.1).
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let i = 0; i < count; i++) bits.push((value >> i) & 1);
  };
  const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  // The lengths of codes have codes of four bits: 1 to 15, and 18 for a run of zeros.
  const used = [18, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
  const codeOf = new Map([...used].sort((a, b) => a - b).map((length, i) => [length, i]));
  const code = (length: number) => {
    const value = codeOf.get(length) as number;
    for (let i = 3; i >= 0; i--) bits.push((value >> i) & 1);
  };
  // The header of a block that is not the last and has its own codes: 257 codes, one of distances, 19 of lengths.
  put(0, 1);
  put(2, 2);
  put(0, 5);
  put(0, 5);
  put(15, 4);
  for (const length of order) put(used.includes(length) ? 4 : 0, 3);
  // 257 codes: lengths 1 to 15 and a last one of 15, which are complete. Code 256 has the first one.
  for (let length = 2; length <= 15; length++) code(length);
  code(15);
  let left = 256 - 15;
  while (left > 0) {
    const run = Math.min(138, left);
    code(18);
    put(run - 11, 7);
    left -= run;
  }
  code(1);
  // One code of distances.
  code(1);
  // The end of the block: code 256, whose code is a single 0.
  put(0, 1);
  const blockBits = bits.length;
  // Eight blocks end at a byte.
  const eight = Array(8).fill(bits).flat() as number[];
  const bytes = Buffer.alloc(blockBits);
  for (const [i, bit] of eight.entries()) bytes[i >> 3] = (bytes[i >> 3] as number) | (bit << (i & 7));
  const count = Math.floor(mostBytes / bytes.length);
  const rows = Buffer.alloc(rowBytesOf(smallPng) * smallPng.height);
  const zlib = deflateSync(rows);
  return png(smallPng, [
    Buffer.concat([
      zlib.subarray(0, 2),
      ...Array(count).fill(bytes),
      deflateRawSync(rows),
      zlib.subarray(zlib.length - 4),
    ]),
  ]);
}

const greys = [
  [0, 0, 0],
  [255, 255, 255],
];

interface GifRun {
  readonly canvas: readonly [width: number, height: number];
  readonly frame: readonly [width: number, height: number];
  readonly disposal: number;
  readonly isInterlaced?: boolean;
  readonly palette?: boolean;
  /** Default: as many as fit. */
  readonly most?: number;
}

/** The same frame of one color again and again. */
export function repeatedGif({
  canvas,
  frame,
  disposal,
  isInterlaced,
  palette,
  most = Infinity,
}: GifRun): Buffer {
  const [width, height] = frame;
  const head = Buffer.alloc(18);
  head.set([0x21, 0xf9, 4, disposal << 2, 0, 0, 0, 0, 0x2c]);
  head.writeUInt16LE(width, 13);
  head.writeUInt16LE(height, 15);
  head[17] = (isInterlaced ? 0x40 : 0) | (palette ? 0x87 : 0);
  const pixels = subBlocks(compress(new Uint8Array(width * height)));
  const part = Buffer.concat([head, ...(palette ? [Buffer.alloc(768)] : []), pixels]);
  const header = gifHeader(...canvas, greys);
  const count = Math.min(most, Math.floor((mostBytes - header.length) / part.length));
  return Buffer.concat([header, ...Array(count).fill(part), Buffer.from([0x3b])]);
}

/** A WebP of one color, as large as asked. */
const flatWebp = (width: number, height: number, options: sharp.WebpOptions) =>
  sharp({ create: { width, height, channels: 3, background: '#777' }, limitInputPixels: false })
    .webp({ effort: 0, ...options })
    .toBuffer();

/** Encoding it takes a second. */
let largeWebp: Promise<Buffer> | undefined;
const lossyWebp = () => {
  largeWebp ??= flatWebp(7_000, 7_000, { quality: 1 });
  return largeWebp;
};

/** An animated WebP of tiny frames on a canvas that is as large as it may be. */
async function animatedWebp(canvas: number, frames: number): Promise<Buffer> {
  const still = await flatWebp(4, 4, { lossless: true });
  const extended = Buffer.alloc(10);
  extended[0] = 2;
  extended.writeUIntLE(canvas - 1, 4, 3);
  extended.writeUIntLE(canvas - 1, 7, 3);
  const frame = riffChunk(
    'ANMF',
    Buffer.concat([Buffer.alloc(6), Buffer.from([3, 0, 0, 3, 0, 0]), Buffer.alloc(4), still.subarray(12)]),
  );
  return join([
    still.subarray(0, 12),
    riffChunk('VP8X', extended),
    riffChunk('ANIM', Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame),
  ]);
}

/** A WebP with chunks of nothing. */
async function chunksWebp(): Promise<Buffer> {
  const still = await flatWebp(64, 64, { lossless: true });
  const extended = Buffer.alloc(10);
  extended.writeUIntLE(63, 4, 3);
  extended.writeUIntLE(63, 7, 3);
  const junk = riffChunk('JUNK', Buffer.alloc(0));
  return join([
    still.subarray(0, 12),
    riffChunk('VP8X', extended),
    ...Array(Math.floor(mostBytes / 8) - 100).fill(junk),
    still.subarray(12),
  ]);
}

/** Every bomb. Made one by one, because together they take some hundred megabytes. */
export const bombs: readonly Bomb[] = [
  {
    name: 'JPEG, 882 scans of 5,000 pixels',
    outcome: 'scans',
    make: () => manyScansJpeg({ width: 5_000, height: 5_000, scans: 882 }),
  },
  {
    name: 'JPEG, 882 scans of 5,000 pixels behind a stray byte',
    outcome: 'scans',
    make: () => insert(manyScansJpeg({ width: 5_000, height: 5_000, scans: 882 }), 1, Buffer.alloc(1)),
  },
  {
    name: 'JPEG, 60 scans of 64 megapixels',
    outcome: 'scans',
    make: () => manyScansJpeg({ width: 8_000, height: 8_000, scans: 60 }),
  },
  {
    name: 'JPEG, as many scans of 64 megapixels as pass',
    outcome: 'decoded',
    make: () => manyScansJpeg({ width: 8_000, height: 8_000, scans: 19 }),
  },
  {
    name: 'JPEG, as many scans of 5,000 pixels as pass',
    outcome: 'decoded',
    make: () => manyScansJpeg({ width: 5_000, height: 5_000, scans: 51 }),
  },
  {
    name: 'JPEG, 90 scans that refine 5,000 pixels',
    outcome: 'scans',
    make: () => manyScansJpeg({ width: 5_000, height: 5_000, scans: 90, refines: true }),
  },
  {
    name: 'JPEG, 250,000 scans of one block',
    outcome: 'scans',
    make: () => manyScansJpeg({ width: 8, height: 8, scans: 250_000 }),
  },
  {
    name: 'JPEG, arithmetic coding, 300 scans',
    outcome: 'jpegCoding',
    make: () => manyScansJpeg({ width: 5_000, height: 5_000, scans: 300, arithmetic: true }),
  },
  {
    name: 'JPEG, sequential, a channel again and again',
    outcome: 'scans',
    make: () => repeatedScansJpeg({ width: 5_000, height: 5_000 }),
  },
  {
    name: 'JPEG, sequential, a scan of one channel before many of all',
    outcome: 'scans',
    make: () => lateWholeScansJpeg({ width: 5_700, height: 5_700 }, 12, 90),
  },
  {
    name: 'JPEG, sequential, a scan of one channel before many empty ones',
    outcome: 'scans',
    make: () => lateWholeScansJpeg({ width: 5_700, height: 5_700 }, 1, 400),
  },
  {
    name: 'JPEG, a restart marker behind every block',
    outcome: 'decoded',
    make: () => restartJpeg(8_000, 8_000),
  },
  {
    name: 'JPEG, a million empty segments',
    outcome: 'corrupt',
    make: () => withSegments(jpegSegment(0xe5, Buffer.alloc(0))),
  },
  {
    name: 'JPEG, a million empty comments',
    outcome: 'corrupt',
    make: () => withSegments(jpegSegment(0xfe, Buffer.alloc(0))),
  },
  {
    name: 'JPEG, Huffman tables',
    outcome: 'decoded',
    make: () => withSegments(jpegSegment(0xc4, Buffer.concat(Array(3_800).fill(Buffer.alloc(17))))),
  },
  {
    name: 'JPEG, a Huffman table in each segment',
    outcome: 'corrupt',
    make: () => withSegments(jpegSegment(0xc4, Buffer.alloc(17))),
  },
  {
    name: 'JPEG, EXIF of 5,000 entries that overlap',
    outcome: 'decoded',
    make: () => withSegments(jpegSegment(0xe1, exifOfEntries(65_000))),
  },
  {
    name: 'JPEG, a profile of 30,000 curves',
    outcome: 'decoded',
    make: () =>
      flatJpeg(
        { width: 64, height: 64, sampling: [0x11, 0x11, 0x11], marker: 0xc0 },
        64,
        3,
        profileSegments(chainProfile(mostBytes - 200_000)),
      ),
  },
  {
    name: 'JPEG, odd sampling, 64 megapixels',
    outcome: 'decoded',
    make: () =>
      flatJpeg({ width: 8_000, height: 8_000, sampling: [0x31, 0x13, 0x11], marker: 0xc0 }, 334 * 334, 10),
  },
  {
    name: 'JPEG, four channels of 64 megapixels',
    outcome: 'decoded',
    make: () =>
      flatJpeg(
        { width: 8_000, height: 8_000, sampling: [0x11, 0x11, 0x11, 0x11], marker: 0xc0 },
        1_000_000,
        4,
      ),
  },
  {
    name: 'PNG, RGBA of 16 bits, 64 megapixels',
    outcome: 'dimensions',
    make: () => pngOfZeros({ width: 8_000, height: 8_000, depth: 16, colorType: 6 }),
  },
  {
    name: 'PNG, RGB, 64 megapixels',
    outcome: 'dimensions',
    make: () => pngOfZeros({ width: 8_000, height: 8_000, depth: 8, colorType: 2 }),
  },
  {
    name: 'PNG, RGB, 64 megapixels, turned',
    outcome: 'dimensions',
    make: () =>
      pngOfZeros({ width: 8_000, height: 8_000, depth: 8, colorType: 2 }, [
        pngChunk(
          'eXIf',
          Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0', 'latin1'),
        ),
      ]),
  },
  {
    name: 'PNG, RGB, 20 megapixels',
    outcome: 'decoded',
    make: () => pngOfZeros({ width: 4_400, height: 4_500, depth: 8, colorType: 2 }),
  },
  {
    name: 'PNG, RGBA of 16 bits, 7 megapixels',
    outcome: 'decoded',
    make: () => pngOfZeros({ width: 2_700, height: 2_700, depth: 16, colorType: 6 }),
  },
  {
    name: 'PNG, grey, 59 megapixels',
    outcome: 'decoded',
    make: () => pngOfZeros({ width: 7_700, height: 7_700, depth: 8, colorType: 0 }),
  },
  {
    name: 'PNG, interlaced, 29 megapixels of grey',
    outcome: 'decoded',
    make: () => interlacedPng({ width: 5_400, height: 5_400, depth: 8, colorType: 0 }),
  },
  {
    name: 'PNG, one bit, 59 megapixels',
    outcome: 'decoded',
    make: () => pngOfZeros({ width: 7_700, height: 7_700, depth: 1, colorType: 0 }),
  },
  {
    name: 'PNG, interlaced, 50 megapixels of grey',
    outcome: 'dimensions',
    make: () => interlacedPng({ width: 7_000, height: 7_000, depth: 8, colorType: 0 }),
  },
  { name: 'PNG, 400,000 chunks', outcome: 'corrupt', make: tinyChunksPng },
  { name: 'PNG, a profile that expands to 64 MB', outcome: 'decoded', make: expandingProfilePng },
  {
    name: 'PNG, 670 profiles that expand to 8 MB each',
    outcome: 'decoded',
    make: () => profilesPng(deflateSync(Buffer.alloc(7_900_000), { level: 9 }), 10_000),
  },
  {
    name: 'PNG, 19,000 damaged profiles',
    outcome: 'decoded',
    make: () => profilesPng(Buffer.from('x'), 19_000),
  },
  {
    name: 'PNG, 99,000 damaged profiles',
    outcome: 'corrupt',
    make: () => profilesPng(Buffer.from('x'), 99_000),
  },
  {
    name: 'PNG, a profile of 30,000 curves',
    outcome: 'decoded',
    make: () =>
      png(
        smallPng,
        [smallRows],
        [
          pngChunk(
            'iCCP',
            Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(chainProfile(4_000_000))]),
          ),
        ],
      ),
  },
  {
    name: 'PNG, EXIF of 5,000 entries that overlap',
    outcome: 'decoded',
    make: () => png(smallPng, [smallRows], [pngChunk('eXIf', exifOfEntries(65_000).subarray(6))]),
  },
  { name: 'PNG, blocks of Huffman tables', outcome: 'decoded', make: emptyBlocksPng },
  {
    name: 'WebP, lossless, 50 megapixels',
    outcome: 'dimensions',
    make: () => flatWebp(7_000, 7_000, { lossless: true }),
  },
  {
    name: 'WebP, lossy, 50 megapixels',
    outcome: 'decoded',
    make: lossyWebp,
  },
  {
    name: 'WebP, cut short, 50 megapixels',
    outcome: 'truncated',
    make: async () => (await lossyWebp()).subarray(0, -9),
  },
  {
    name: 'WebP, 50,000 frames on a canvas of 49 megapixels',
    outcome: 'dimensions',
    make: () => animatedWebp(7_000, 50_000),
  },
  {
    name: 'WebP, lossless, 25 megapixels',
    outcome: 'decoded',
    make: () => flatWebp(5_000, 5_000, { lossless: true }),
  },
  {
    name: 'WebP, 50,000 frames on a canvas of 25 megapixels',
    outcome: 'decoded',
    make: () => animatedWebp(5_000, 50_000),
  },
  { name: 'WebP, 600,000 chunks', outcome: 'corrupt', make: chunksWebp },
  {
    name: 'GIF, frames of 1,600 pixels',
    outcome: 'animation',
    make: () => repeatedGif({ canvas: [1_600, 1_600], frame: [1_600, 1_600], disposal: 0, most: 99 }),
  },
  {
    name: 'GIF, frames of 1,600 pixels, as many as pass',
    outcome: 'decoded',
    make: () => repeatedGif({ canvas: [1_600, 1_600], frame: [1_600, 1_600], disposal: 0, most: 11 }),
  },
  {
    name: 'GIF, frames that restore what was below',
    outcome: 'animation',
    make: () => repeatedGif({ canvas: [1_600, 1_600], frame: [1_600, 1_600], disposal: 3, most: 49 }),
  },
  {
    name: 'GIF, a frame as large as it may be',
    outcome: 'decoded',
    make: () => repeatedGif({ canvas: [4_000, 3_000], frame: [4_000, 3_000], disposal: 0, most: 1 }),
  },
  {
    name: 'GIF, a canvas of 25 megapixels',
    outcome: 'dimensions',
    make: () => repeatedGif({ canvas: [5_000, 5_000], frame: [1, 1], disposal: 0, most: 1 }),
  },
  {
    name: 'GIF, eight frames of one pixel on the largest canvas',
    outcome: 'decoded',
    make: () => repeatedGif({ canvas: [4_000, 3_000], frame: [1, 1], disposal: 0, most: 8 }),
  },
  {
    name: 'GIF, frames of one column',
    outcome: 'animation',
    make: () => repeatedGif({ canvas: [1, 65_535], frame: [1, 65_535], disposal: 3, most: 1_900 }),
  },
  {
    name: 'GIF, as many frames of one pixel as pass',
    outcome: 'decoded',
    make: () => repeatedGif({ canvas: [100, 100], frame: [1, 1], disposal: 3, most: 10_000 }),
  },
  {
    name: 'GIF, frames of one pixel',
    outcome: 'animation',
    make: () => repeatedGif({ canvas: [100, 100], frame: [1, 1], disposal: 3 }),
  },
  {
    name: 'GIF, a table of colors for each frame',
    outcome: 'decoded',
    make: () => repeatedGif({ canvas: [100, 100], frame: [1, 1], disposal: 0, palette: true }),
  },
  {
    name: 'HEIC, 25 megapixels of tiles',
    outcome: 'corrupt',
    make: () => writeHeif({ grid: { columns: 52, rows: 78 } }),
  },
  {
    name: 'HEIC, the same tile for a grid of 25 megapixels',
    outcome: 'corrupt',
    make: () => writeHeif({ grid: { columns: 52, rows: 78 }, sharesTile: true }),
  },
  {
    name: 'HEIC, an item that refers to the image 350,000 times',
    outcome: 'corrupt',
    make: () => writeHeif({ auxiliary: 'x', describing: { items: 1, references: 350_000 } }),
  },
  {
    name: 'HEIC, 9,000 items that share a type of 3 MB',
    outcome: 'corrupt',
    make: () => writeHeif({ auxiliary: 'x'.repeat(3e6), describing: { items: 9_000, references: 1 } }),
  },
  {
    name: 'HEIC, 38 transparencies of 65,535 tiles each',
    outcome: 'corrupt',
    make: () =>
      writeHeif({
        auxiliary: 'urn:mpeg:hevc:2015:auxid:1',
        describing: { items: 38, references: 1, tiles: 65_535 },
      }),
  },
  {
    name: 'HEIC, a tile that repeats its image 20,000 times',
    outcome: 'decoded',
    make: () => writeHeif({ repeats: 20_000 }),
  },
];
