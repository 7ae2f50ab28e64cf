/** Writes GIF files of any frames; the encoder of the tests' library chooses frames and colors itself. */

export interface GifPart {
  readonly width: number;
  readonly height: number;
  readonly left?: number;
  readonly top?: number;
  /** Index of the color of a pixel. */
  readonly at: (x: number, y: number) => number;
  readonly transparent?: number;
  /** 0 to 7: 2 clears the frame before the next one, 3 restores what was below. */
  readonly disposal?: number;
  readonly isInterlaced?: boolean;
  readonly palette?: readonly (readonly number[])[];
  /** The smallest size of a code, 8 to 12. Default: 8. */
  readonly codeBits?: number;
}

export interface GifSpec {
  /** Width of the canvas. */
  readonly width: number;
  readonly height: number;
  readonly palette: readonly (readonly number[])[];
  readonly frames: readonly GifPart[];
  readonly version?: '87a' | '89a';
}

export function writeGif({ width, height, palette, frames, version = '89a' }: GifSpec): Buffer {
  return Buffer.concat([
    gifHeader(width, height, palette, version),
    ...frames.map(gifFrame),
    Buffer.from([0x3b]),
  ]);
}

export const gifHeader = (
  width: number,
  height: number,
  palette: readonly (readonly number[])[],
  version = '89a',
): Buffer =>
  Buffer.concat([Buffer.from(`GIF${version}`), uint16(width, height), table(palette), colors(palette)]);

/** One frame with its control block. */
export function gifFrame(part: GifPart): Buffer {
  const {
    width,
    height,
    left = 0,
    top = 0,
    transparent,
    disposal = 0,
    isInterlaced,
    palette,
    codeBits,
  } = part;
  const control = [0x21, 0xf9, 4, (disposal << 2) | (transparent === undefined ? 0 : 1), 0, 0];
  const flags = (isInterlaced ? 0x40 : 0) | (palette ? 0x87 : 0);
  const rows = isInterlaced ? interlaced(height) : [...Array(height).keys()];
  const indices = rows.flatMap((y) => Array.from({ length: width }, (_, x) => part.at(x, y)));
  return Buffer.concat([
    Buffer.from([...control, transparent ?? 0, 0, 0x2c]),
    uint16(left, top, width, height),
    Buffer.from([flags]),
    ...(palette ? [colors(palette)] : []),
    subBlocks(compress(indices, codeBits), codeBits),
  ]);
}

/** The order of the rows of an interlaced frame. */
const interlaced = (height: number): number[] => {
  const every = (first: number, step: number) =>
    Array.from({ length: Math.max(0, Math.ceil((height - first) / step)) }, (_, i) => first + i * step);
  return [...every(0, 8), ...every(4, 8), ...every(2, 4), ...every(1, 2)];
};

const uint16 = (...values: number[]) => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, 2 * i);
  return bytes;
};

/** Flags for a table of 256 colors or none, background and aspect. */
const table = (palette: readonly unknown[]) => Buffer.from([palette.length > 0 ? 0xf7 : 0, 0, 0]);

const colors = (palette: readonly (readonly number[])[]) =>
  Buffer.alloc(
    palette.length > 0 ? 768 : 0,
    Buffer.from([...palette.flat(), ...Array(768).fill(0)]).subarray(0, 768),
  );

/** LZW; a table that is full stays as it is, so that long runs of one color take few bytes. */
export function compress(indices: Iterable<number>, codeBits = 8): Buffer {
  const clear = 1 << codeBits;
  const bytes: number[] = [];
  let held = 0;
  let heldBits = 0;
  // Twelve leave room for no longer code than those of single colors.
  let bits = codeBits + 1;
  const put = (code: number) => {
    held |= code << heldBits;
    for (heldBits += bits; heldBits >= 8; heldBits -= 8, held >>>= 8) bytes.push(held & 0xff);
  };
  const codes = new Map<number, number>();
  let next = clear + 2;
  let code = -1;
  put(clear);
  for (const index of indices) {
    if (code < 0) {
      code = index;
      continue;
    }
    const longer = codes.get((code << 8) | index);
    if (longer !== undefined) {
      code = longer;
      continue;
    }
    put(code);
    if (next < 4096) {
      // Readers know a code one step later than writers.
      if (next === 1 << bits) bits += 1;
      codes.set((code << 8) | index, next++);
    }
    code = index;
  }
  if (code >= 0) put(code);
  if (next === 1 << bits && bits < 12) bits += 1;
  put(clear + 1);
  if (heldBits > 0) bytes.push(held & 0xff);
  return Buffer.from(bytes);
}

/** Compressed pixels as the file holds them. */
export function subBlocks(data: Buffer, codeBits = 8): Buffer {
  const blocks: Buffer[] = [Buffer.from([codeBits])];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([...blocks, Buffer.from([0])]);
}
