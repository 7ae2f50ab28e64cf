/**
 * Draws frames of a GIF as browsers do. libvips is not used, because it shrinks the canvas of common sizes to the first
 * frame, which hides later ones, and decodes from the start for each frame that is asked for.
 */
import { type DecodingBudget, patient } from './decoding-budget';
import { animationLimits, type ColorTable, type GifFile, type GifFrame, readGif } from './gif-file';
import { decompress } from './gif-pixels';
import { ImageError } from './image-error';
import { checkSize, maxPixelsOf } from './limits';

/** Most pixels of the canvas, which takes eight bytes for each while a copy is shrunk. */
const maxCanvasPixels = maxPixelsOf('gif');

/** Pixels that take as long as beginning a frame, and as beginning one of its rows. */
const pixelsPerFrame = 256;
const pixelsPerRow = 16;
/** Pixels that take as long as shrinking one of a sampled canvas. */
const pixelsPerSampled = 1.4;
/** Pixels of all sampled canvases. Fewer large ones are sampled, but always the first and the last. */
const maxSampledPixels = 14e6;
/** Nanoseconds to draw a pixel. */
const perPixel = 5.5;

/** The canvas after a frame: red, green, blue and alpha of each pixel. It changes with the next frame. */
export interface Canvas {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws the animation up to the last of the sampled frames, and yields the canvas after each of these.
 * @param most frames to sample: the first for 1, otherwise evenly spread ones with the first and the last. A large
 *   canvas has fewer.
 * @param spend called with the price in milliseconds before anything is drawn.
 * @throws ImageError
 */
export function* drawFrames(
  file: Buffer,
  most: number,
  spend: DecodingBudget['spend'] = patient.spend,
): Generator<Canvas, void, void> {
  const gif = readGif(file);
  checkSize(gif.width, gif.height, maxCanvasPixels);
  const affordable = Math.max(2, Math.floor(maxSampledPixels / (gif.width * gif.height)));
  const samples = sampleIndices(gif.frames.length, Math.min(most, affordable));
  const drawn = framesUpTo(samples.at(-1) as number, gif);
  spend((perPixel * checkCost(drawn, gif, samples.length)) / 1e6);
  const painter = new Painter(file, gif, drawn);
  const rgba = new Uint8Array(painter.pixels.buffer);
  const wanted = new Set(samples);
  for (const [i, frame] of drawn.entries()) {
    painter.draw(frame);
    if (wanted.has(i)) yield { rgba, width: gif.width, height: gif.height };
    painter.dispose(frame);
  }
}

/** Positions of at most `most` of `count` frames, evenly spread from the first to the last; only the first for 1. */
export function sampleIndices(count: number, most: number): number[] {
  const samples = Math.min(count, most);
  if (samples <= 1) return [0];
  return Array.from({ length: samples }, (_, i) => Math.round((i * (count - 1)) / (samples - 1)));
}

/** The last frame needs no copy of the pixels below it, because nothing is drawn after it. */
function framesUpTo(last: number, { frames }: GifFile): GifFrame[] {
  return [...frames.slice(0, last), { ...(frames[last] as GifFrame), disposal: 'keep' }];
}

/** Refuses frames that would take too long, or more memory than the canvas. @returns pixels that take as long */
function checkCost(frames: readonly GifFrame[], { width, height }: GifFile, samples: number): number {
  let pixels = pixelsPerSampled * samples * width * height;
  for (const frame of frames) {
    const area = frame.width * frame.height;
    if (area > width * height) checkSize(frame.width, frame.height, maxCanvasPixels);
    const drawn = area + pixelsPerRow * frame.height;
    pixels += pixelsPerFrame + (frame.disposal === 'keep' ? drawn : 2 * drawn);
  }
  if (pixels > animationLimits.limit) throw new ImageError('animation', animationLimits);
  return pixels;
}

/** First row and step of each pass over an interlaced frame. */
const passes = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;

class Painter {
  /** Red in the lowest byte, alpha in the highest; 0 is transparent. */
  readonly pixels: Uint32Array;
  private readonly width: number;
  private readonly height: number;
  private readonly indices: Uint8Array;
  private readonly palette: Uint32Array | undefined;
  /** A second canvas with the pixels below the current frame, if it restores them. */
  private below: Uint32Array | undefined;

  constructor(
    private readonly file: Buffer,
    { width, height, colors }: GifFile,
    frames: readonly GifFrame[],
  ) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint32Array(width * height);
    this.indices = new Uint8Array(
      frames.reduce((most, frame) => Math.max(most, frame.width * frame.height), 0),
    );
    this.palette = colors && this.colorsOf(colors);
  }

  draw(frame: GifFrame): void {
    const count = frame.width * frame.height;
    if (count === 0) return;
    const palette = frame.colors ? this.colorsOf(frame.colors) : this.palette;
    if (!palette || !decompress(this.file, frame.data, this.indices, count)) throw new ImageError('corrupt');
    if (frame.disposal === 'restore') {
      this.below ??= new Uint32Array(this.pixels.length);
      this.copy(frame, this.pixels, this.below);
    }
    let row = 0;
    for (const [first, step] of frame.isInterlaced ? passes : [[0, 1] as const]) {
      for (let y = first; y < frame.height; y += step) this.drawRow(frame, palette, row++, frame.top + y);
    }
  }

  /** Undoes a frame, as it demands, before the next one is drawn. */
  dispose(frame: GifFrame): void {
    if (frame.disposal === 'clear')
      for (const [start, end] of this.rowsOf(frame)) this.pixels.fill(0, start, end);
    if (frame.disposal === 'restore' && this.below) this.copy(frame, this.below, this.pixels);
  }

  private drawRow(
    { left, width, transparent }: GifFrame,
    palette: Uint32Array,
    row: number,
    y: number,
  ): void {
    if (y >= this.height) return;
    const { indices, pixels } = this;
    const end = row * width + Math.min(width, this.width - left);
    for (let from = row * width, to = y * this.width + left; from < end; from++, to++) {
      const index = indices[from] as number;
      const color = palette[index] as number;
      if (index !== transparent && color !== 0) pixels[to] = color;
    }
  }

  private copy(frame: GifFrame, from: Uint32Array, to: Uint32Array): void {
    for (const [start, end] of this.rowsOf(frame)) to.set(from.subarray(start, end), start);
  }

  /** Start and end of each row of a frame, cut to the canvas. */
  private *rowsOf({ left, top, width, height }: GifFrame): Generator<readonly [number, number]> {
    const columns = Math.min(width, this.width - left);
    if (columns <= 0) return;
    for (let y = top; y < Math.min(this.height, top + height); y++) {
      const start = y * this.width + left;
      yield [start, start + columns];
    }
  }

  /** Opaque colors by index; 0 for an index without one. */
  private colorsOf({ start, count }: ColorTable): Uint32Array {
    const palette = new Uint32Array(256);
    const { file } = this;
    for (let i = 0, at = start; i < count; i++, at += 3) {
      // Past the end of the file, a color is black.
      const [red = 0, green = 0, blue = 0] = [file[at], file[at + 1], file[at + 2]];
      palette[i] = (red | (green << 8) | (blue << 16) | 0xff000000) >>> 0;
    }
    return palette;
  }
}
