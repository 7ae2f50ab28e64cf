/**
 * Draws frames of a GIF as browsers do. libvips is not used, because it shrinks the canvas of common sizes to the first
 * frame, which hides later ones, and decodes from the start for each frame that is asked for.
 */
import limits from '@presenza/contract/limits.json';
import { type ColorTable, type GifFile, type GifFrame, readGif } from './gif-file';
import { decompress } from './gif-pixels';
import { ImageError } from './image-error';
import { checkSize, maxPixelsOf } from './limits';

/** Of the canvas, whose memory is eight times as many bytes while a copy is shrunk. */
const maxCanvasPixels = maxPixelsOf('gif');
/** Of all frames that are drawn. */
const { maxPixels } = limits.image.animation;

/** The canvas after a frame: red, green, blue and alpha of each pixel. It changes with the next frame. */
export interface Canvas {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws the animation up to the last of the sampled frames, and yields the canvas after each of these.
 * @param most frames to sample: the first for 1, otherwise evenly spread ones with the first and the last.
 * @throws ImageError
 */
export function* drawFrames(file: Buffer, most: number): Generator<Canvas, void, void> {
  const gif = readGif(file);
  checkSize(gif.width, gif.height, maxCanvasPixels);
  const samples = sampleIndices(gif.frames.length, most);
  const drawn = framesUpTo(samples.at(-1) as number, gif);
  checkCost(drawn, gif);
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

/** Nothing is drawn after the last frame, so its disposal needs no copy of the pixels below. */
function framesUpTo(last: number, { frames }: GifFile): GifFrame[] {
  return [...frames.slice(0, last), { ...(frames[last] as GifFrame), disposal: 'keep' }];
}

/** Refuses frames that would take too long, or more memory than the canvas. */
function checkCost(frames: readonly GifFrame[], { width, height }: GifFile): void {
  let pixels = 0;
  for (const frame of frames) {
    const area = frame.width * frame.height;
    if (area > width * height) checkSize(frame.width, frame.height, maxCanvasPixels);
    pixels += frame.disposal === 'keep' ? area : 2 * area;
  }
  if (pixels > maxPixels) throw new ImageError('animation', { limit: maxPixels });
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
    this.indices = new Uint8Array(frames.reduce((most, one) => Math.max(most, one.width * one.height), 0));
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

  /** Where each row of the part of a frame starts and ends that is on the canvas. */
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
    for (let i = 0, at = start; i < count; i++, at += 3) {
      const [red, green, blue] = this.file.subarray(at, at + 3) as unknown as [number, number, number];
      palette[i] = (red | (green << 8) | (blue << 16) | 0xff000000) >>> 0;
    }
    return palette;
  }
}
