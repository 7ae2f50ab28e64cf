/** The file formats taken apart and put together again: JPEG segments, PNG chunks, RIFF chunks, GIF blocks. */
import { deflateSync } from 'node:zlib';

/** A part of a file; all parts of a file, one behind the other, are the file. */
export type Part = Buffer;

export const jpegSegment = (marker: number, data: Uint8Array): Part => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

export const pngChunk = (type: string, data: Uint8Array): Part => {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))]);
};

export const riffChunk = (type: string, data: Uint8Array): Part => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
};

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

/** The checksum of PNG and zlib; the built-in one is newer than the oldest Node that is supported. */
function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export type Container = 'jpeg' | 'png' | 'webp' | 'gif';

export function containerOf(file: Buffer): Container | undefined {
  if (file.readUInt16BE(0) === 0xffd8) return 'jpeg';
  if (file.subarray(0, 8).equals(pngSignature)) return 'png';
  if (file.toString('latin1', 0, 4) === 'GIF8') return 'gif';
  return file.toString('latin1', 8, 12) === 'WEBP' ? 'webp' : undefined;
}

/** The parts of a whole file. The header of a JPEG scan and its compressed data are one part. */
export function partsOf(file: Buffer): Part[] {
  const container = containerOf(file);
  if (container === 'png') return cut(file, 8, (at) => 12 + file.readUInt32BE(at));
  if (container === 'webp') {
    return cut(file, 12, (at) => {
      const length = file.readUInt32LE(at + 4);
      return 8 + length + (length % 2);
    });
  }
  if (container === 'gif') return cut(file, 13 + gifTable(file[10]), (at) => gifBlock(file, at));
  if (container !== 'jpeg') return [file];
  return cut(file, 2, (at) => {
    const marker = file[at + 1] as number;
    if (marker === 0xd9) return 2;
    const end = at + 2 + file.readUInt16BE(at + 2);
    return marker === 0xda ? scanEnd(file, end) - at : end - at;
  });
}

/** Bytes of the table of colors that the flags announce. */
const gifTable = (flags = 0) => (flags & 0x80 ? 3 * (2 << (flags & 7)) : 0);

/** Bytes of an extension or of a frame with its pixels. */
function gifBlock(file: Buffer, at: number): number {
  let end = at + 2;
  if (file[at] === 0x2c) end = at + 11 + gifTable(file[at + 9]);
  else if (file[at] !== 0x21) return 1;
  while (end < file.length && file[end] !== 0) end += 1 + (file[end] as number);
  return end + 1 - at;
}

function cut(file: Buffer, first: number, lengthAt: (at: number) => number): Part[] {
  const parts = [file.subarray(0, first)];
  for (let at = first; at < file.length; ) {
    const end = file.length - at < 12 ? file.length : Math.min(file.length, at + lengthAt(at));
    parts.push(file.subarray(at, end));
    at = end;
  }
  return parts;
}

/** Position of the next marker that neither is stuffing nor a restart. */
function scanEnd(file: Buffer, from: number): number {
  for (let at = from; at < file.length - 1; at++) {
    const next = file[at + 1] as number;
    if (file[at] === 0xff && next !== 0 && (next & 0xf8) !== 0xd0) return at;
  }
  return file.length;
}

/** Puts a part behind the first `count` of a file's, and makes the length of a RIFF file right again. */
export function insert(file: Buffer, count: number, part: Part): Buffer {
  return join(partsOf(file).toSpliced(count, 0, part));
}

export function join(parts: readonly Part[]): Buffer {
  const file = Buffer.concat(parts);
  if (containerOf(file) === 'webp') file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** A number of up to 11 bits as JPEG writes a DC coefficient: its number of bits, here in four bits, and the bits. */
function dcBits(value: number): string {
  const size = value === 0 ? 0 : 32 - Math.clz32(Math.abs(value));
  const bits = value < 0 ? value + 2 ** size - 1 : value;
  return size.toString(2).padStart(4, '0') + (size === 0 ? '' : bits.toString(2).padStart(size, '0'));
}

/**
 * A gray JPEG of flat blocks with a restart marker after each, and bytes of padding before each marker. Webcams write
 * such padding; the encoder of the tests' library writes no restart markers.
 * @param size in blocks of 8 x 8 pixels.
 * @param value of a block, 0 to 255.
 */
export function writeRestartJpeg(
  { width, height }: { readonly width: number; readonly height: number },
  padding: Uint8Array,
  value: (x: number, y: number) => number,
): Buffer {
  const lengths = (length: number, count: number) =>
    Array.from({ length: 16 }, (_, i) => (i + 1 === length ? count : 0));
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(8 * height, 1);
  frame.writeUInt16BE(8 * width, 3);
  const blocks = Array.from({ length: width * height }, (_, i) => {
    // The quantization table is all ones, so the coefficient is the sum of 64 values divided by 8.
    const bits = `${dcBits(8 * (value(i % width, Math.floor(i / width)) - 128))}0`;
    const bytes = (bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []).flatMap((byte) =>
      byte === '11111111' ? [0xff, 0] : [Number.parseInt(byte, 2)],
    );
    return i === 0 ? Buffer.from(bytes) : Buffer.from([...padding, 0xff, 0xd0 + ((i - 1) % 8), ...bytes]);
  });
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.from([0, ...Array(64).fill(1)])),
    jpegSegment(0xc0, frame),
    // Codes of four bits for each size of a DC coefficient, and one of one bit for a block without others.
    jpegSegment(0xc4, Buffer.from([0x00, ...lengths(4, 12), ...Array(12).keys()])),
    jpegSegment(0xc4, Buffer.from([0x10, ...lengths(1, 1), 0])),
    jpegSegment(0xdd, Buffer.from([0, 1])),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    ...blocks,
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Channels of PNG's color types. */
const channelsOf = { grey: 1, rgb: 3, palette: 1, greyAlpha: 2, rgba: 4 } as const;
const colorTypes = { grey: 0, rgb: 2, palette: 3, greyAlpha: 4, rgba: 6 } as const;

export interface PngSpec {
  readonly width: number;
  readonly height: number;
  readonly color: keyof typeof colorTypes;
  readonly depth: 1 | 2 | 4 | 8 | 16;
  /** Value of a channel, 0 to 2 ** depth - 1. */
  readonly value: (x: number, y: number, channel: number) => number;
  /** Chunks between header and pixels: a palette, transparency. */
  readonly before?: readonly Part[];
}

/** A PNG of any depth and color type, without filters; the encoder of the tests' library writes only some. */
export function writePng({ width, height, color, depth, value, before = [] }: PngSpec): Buffer {
  const channels = channelsOf[color];
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const rows = Buffer.alloc(height * (1 + rowBytes));
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * (1 + rowBytes) + 1, (y + 1) * (1 + rowBytes));
    for (let i = 0; i < width * channels; i++) {
      const sample = value(Math.floor(i / channels), y, i % channels);
      if (depth === 16) row.writeUInt16BE(sample, 2 * i);
      else
        row[(i * depth) >> 3] =
          (row[(i * depth) >> 3] as number) | (sample << (8 - depth - ((i * depth) & 7)));
    }
  }
  const header = Buffer.concat([
    uint32(width),
    uint32(height),
    Buffer.from([depth, colorTypes[color], 0, 0, 0]),
  ]);
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    ...before,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
