/**
 * Reads the blocks of a GIF file without decoding its frames, so that the cost of decoding is known before it begins
 * (GIF89a specification, W3C).
 */
import limits from '@presenza/contract/limits.json';
import { ImageError } from './image-error';

/** Limits of an animation, as numbers for the text of their reason. */
export const animationLimits = {
  frames: limits.image.animation.maxFrames,
  limit: limits.image.animation.maxPixels,
};

/** The change to a frame before the next one is drawn. */
export type Disposal = 'keep' | 'clear' | 'restore';

export interface GifFrame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced: boolean;
  readonly disposal: Disposal;
  /** Index of the color that leaves the pixels below as they are; -1 if there is none. */
  readonly transparent: number;
  /** Start and number of the colors of this frame. Undefined if it uses those of the file. */
  readonly colors: ColorTable | undefined;
  /** Start of the compressed pixels: the size of their codes, followed by sub-blocks. */
  readonly data: number;
}

export interface ColorTable {
  readonly start: number;
  readonly count: number;
}

export interface GifFile {
  /** Width of the canvas. */
  readonly width: number;
  readonly height: number;
  readonly colors: ColorTable | undefined;
  readonly frames: readonly GifFrame[];
}

export const isGif = (file: Buffer) => /^GIF8[79]a/.test(file.toString('latin1', 0, 6));

const extension = 0x21;
const imageDescriptor = 0x2c;
const graphicControl = 0xf9;
const headerBytes = 13;

interface Control {
  readonly disposal: Disposal;
  readonly transparent: number;
}
const noControl: Control = { disposal: 'keep', transparent: -1 };

/** @throws ImageError if the file is cut short, or has no frame or too many */
export function readGif(file: Buffer): GifFile {
  if (file.length < headerBytes) throw new ImageError('truncated');
  const colors = colorTable(file.readUInt8(10), headerBytes);
  const frames: GifFrame[] = [];
  let control = noControl;
  let at = endOf(colors, headerBytes);
  while (at < file.length) {
    if (file[at] === extension) {
      if (file[at + 1] === graphicControl) control = readControl(file, at + 3);
      at = skipSubBlocks(file, at + 2);
    } else if (file[at] === imageDescriptor) {
      if (frames.length === animationLimits.frames) throw new ImageError('animation', animationLimits);
      const frame = readFrame(file, at + 1, control);
      frames.push(frame);
      control = noControl;
      at = skipSubBlocks(file, frame.data + 1);
    } else {
      // The trailer, or unknown bytes: browsers end the animation at both.
      break;
    }
  }
  const [first] = frames;
  if (!first) throw new ImageError(at < file.length ? 'corrupt' : 'truncated');
  // Browsers enlarge a canvas that is too small for the first frame.
  const width = Math.max(file.readUInt16LE(6), first.left + first.width);
  const height = Math.max(file.readUInt16LE(8), first.top + first.height);
  if (width === 0 || height === 0) throw new ImageError('corrupt');
  return { width, height, colors, frames };
}

function readControl(file: Buffer, at: number): Control {
  const flags = file[at] ?? 0;
  const disposal = (flags >> 2) & 7;
  // Some old encoders write 4 for 3.
  const restores = disposal === 3 || disposal === 4;
  return {
    disposal: disposal === 2 ? 'clear' : restores ? 'restore' : 'keep',
    transparent: flags & 1 ? (file[at + 3] ?? -1) : -1,
  };
}

function readFrame(file: Buffer, at: number, control: Control): GifFrame {
  if (at + 10 > file.length) throw new ImageError('truncated');
  const flags = file.readUInt8(at + 8);
  const colors = colorTable(flags, at + 9);
  return {
    left: file.readUInt16LE(at),
    top: file.readUInt16LE(at + 2),
    width: file.readUInt16LE(at + 4),
    height: file.readUInt16LE(at + 6),
    isInterlaced: (flags & 0x40) !== 0,
    ...control,
    colors,
    data: endOf(colors, at + 9),
  };
}

const colorTable = (flags: number, start: number): ColorTable | undefined =>
  flags & 0x80 ? { start, count: 2 << (flags & 7) } : undefined;

const endOf = (colors: ColorTable | undefined, otherwise: number) =>
  colors ? colors.start + 3 * colors.count : otherwise;

/** @returns the position after the sub-blocks that start at `at` */
function skipSubBlocks(file: Buffer, at: number): number {
  for (let next = at; next < file.length; ) {
    const length = file[next] as number;
    next += 1 + length;
    if (length === 0) return next;
  }
  throw new ImageError('truncated');
}
