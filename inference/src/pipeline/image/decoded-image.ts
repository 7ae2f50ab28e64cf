/**
 * A decoded image and its resampling. Enlarging is bilinear; shrinking first halves by averaging until less than a factor
 * of two is left, so no pixel is skipped (a mip map). Each pixel is one 32-bit number with red in the lowest byte: one
 * multiplication weights red and blue, which are two bytes apart, and takes a third of the time of separate channels.
 */
import type { Affine } from './geometry';
import { mapX, mapY, scaleOf } from './geometry';

export class DecodedImage {
  private halved: DecodedImage | undefined;

  /**
   * @param pixels width * height numbers, row-major: red | green << 8 | blue << 16; the highest byte is ignored.
   * @param width at most 32767, as is the height.
   */
  constructor(
    readonly pixels: Int32Array,
    readonly width: number,
    readonly height: number,
  ) {}

  /** @param bytes width * height * 4, row-major; the fourth of each pixel is ignored. */
  static fromRgba(bytes: Uint8Array, width: number, height: number): DecodedImage {
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
    return new DecodedImage(
      new Int32Array(aligned.buffer, aligned.byteOffset, width * height),
      width,
      height,
    );
  }

  /** @param bytes width * height * 3, row-major. */
  static fromRgb(bytes: Uint8Array, width: number, height: number): DecodedImage {
    const pixels = new Int32Array(width * height);
    for (let i = 0, from = 0; i < pixels.length; i++, from += 3) {
      pixels[i] =
        (bytes[from] as number) | ((bytes[from + 1] as number) << 8) | ((bytes[from + 2] as number) << 16);
    }
    return new DecodedImage(pixels, width, height);
  }

  get longestSide(): number {
    return Math.max(this.width, this.height);
  }

  /** The image at half its size, computed once. */
  get half(): DecodedImage {
    this.halved ??= new DecodedImage(
      halve(this.pixels, this.width, this.height),
      this.width >> 1,
      this.height >> 1,
    );
    return this.halved;
  }

  /** Red, green and blue of one pixel, 0 to 255. */
  at(x: number, y: number): [number, number, number] {
    const pixel = this.pixels[y * this.width + x] as number;
    return [pixel & 0xff, (pixel >>> 8) & 0xff, (pixel >>> 16) & 0xff];
  }

  /**
   * Samples a square of `size` pixels.
   * @param toImage map from square to image coordinates.
   * @param into receives size * size * 3 bytes; outside the image they are black.
   */
  sample(toImage: Affine, size: number, into: Uint8Array): void {
    if (scaleOf(toImage) >= 2 && Math.min(this.width, this.height) >= 2) {
      // A pixel of the half covers 2 x 2 pixels, so the center of pixel x is at (x - 0.5) / 2.
      const [a, b, c, d, e, f] = toImage;
      this.half.sample([a / 2, b / 2, c / 2 - 0.25, d / 2, e / 2, f / 2 - 0.25], size, into);
      return;
    }
    this.sampleBilinear(toImage, size, into);
  }

  /** The whole image stretched to a square, corner to corner. */
  squeeze(size: number, into: Uint8Array): void {
    const { width, height } = this;
    if (Math.min(width, height) >= 2 * size) {
      this.half.squeeze(size, into);
      return;
    }
    const last = size - 1;
    this.sampleBilinear([(width - 1) / last, 0, 0, 0, (height - 1) / last, 0], size, into);
  }

  private sampleBilinear(toImage: Affine, size: number, into: Uint8Array): void {
    const { pixels, width, height } = this;
    for (let row = 0; row < size; row++) {
      const line = {
        x: mapX(toImage, 0, row),
        y: mapY(toImage, 0, row),
        dx: toImage[0],
        dy: toImage[3],
      };
      const { begin, end } = within(line, width - 1, height - 1, size);
      const start = 3 * row * size;
      sampleEdge(pixels, width, line, 0, begin, start, into);
      sampleInside(pixels, width, line, begin, end, start, into);
      sampleEdge(pixels, width, line, end, size, start, into);
    }
  }
}

/** The pixels of a batch of squares; `fill` writes those of one item. */
export function batchOf<T>(
  items: readonly T[],
  size: number,
  fill: (item: T, into: Uint8Array) => void,
): Uint8Array {
  const bytes = 3 * size * size;
  const pixels = new Uint8Array(items.length * bytes);
  items.forEach((item, i) => {
    fill(item, pixels.subarray(i * bytes, (i + 1) * bytes));
  });
  return pixels;
}

/** Every image stretched to a square of `size` pixels: the batch of a model that takes whole images. */
export const squeezeAll = (images: readonly DecodedImage[], size: number): Uint8Array =>
  batchOf(images, size, (image, into) => image.squeeze(size, into));

/** The points of one row of a sampled square: (x, y), (x + dx, y + dy), ... */
interface Line {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/** The range of steps of a line whose four neighbors are all inside the image. */
function within({ x, y, dx, dy }: Line, right: number, bottom: number, size: number) {
  // The steps' rounding to fixed point, half a unit each, cannot add up to more than this.
  const margin = (size + 2) / (2 * fixedOne);
  let begin = 0;
  let end = size;
  for (const [from, step, last] of [
    [x, dx, right],
    [y, dy, bottom],
  ] as const) {
    const low = margin - from;
    const high = last - margin - from;
    if (step > 0) {
      begin = Math.max(begin, Math.ceil(low / step));
      end = Math.min(end, Math.ceil(high / step));
    } else if (step < 0) {
      begin = Math.max(begin, Math.floor(high / step) + 1);
      end = Math.min(end, Math.floor(low / step) + 1);
    } else if (low > 0 || high <= 0) {
      end = 0;
    }
  }
  begin = Math.min(begin, size);
  return { begin, end: Math.max(begin, end) };
}

/** Bound here because every use of a global is slow in a context of its own, as of tests. */
const { imul } = Math;

/** One in 16.16 fixed point. */
const fixedOne = 1 << 16;

/**
 * The hot loop: integers only (`| 0` declares them), weights of 8 bits that add up to 256, and every neighbor inside the
 * image.
 */
function sampleInside(
  pixels: Int32Array,
  width: number,
  line: Line,
  begin: number,
  end: number,
  start: number,
  into: Uint8Array,
): void {
  const dx = Math.round(line.dx * fixedOne) | 0;
  const dy = Math.round(line.dy * fixedOne) | 0;
  let x = Math.round((line.x + begin * line.dx) * fixedOne) | 0;
  let y = Math.round((line.y + begin * line.dy) * fixedOne) | 0;
  let to = (start + 3 * begin) | 0;
  if (dx === fixedOne && dy === 0 && (((x | y) >> 8) & 255) === 0) {
    copy(pixels, (imul(y >> 16, width) + (x >> 16)) | 0, end - begin, into, to);
    return;
  }
  for (let column = begin; column < end; column++) {
    const fx = (x >> 8) & 255;
    const fy = (y >> 8) & 255;
    const i = (imul(y >> 16, width) + (x >> 16)) | 0;
    const j = (i + width) | 0;
    const mixed = mix(
      (pixels[i] as number) | 0,
      (pixels[i + 1] as number) | 0,
      (pixels[j] as number) | 0,
      (pixels[j + 1] as number) | 0,
      fx,
      fy,
    );
    into[to] = mixed;
    into[to + 1] = mixed >>> 8;
    into[to + 2] = mixed >>> 16;
    to = (to + 3) | 0;
    x = (x + dx) | 0;
    y = (y + dy) | 0;
  }
}

/** The same for a line that steps from pixel to pixel, as in an image that needs no shrinking. */
function copy(pixels: Int32Array, from: number, count: number, into: Uint8Array, start: number): void {
  for (let i = from, to = start; i < from + count; i++, to += 3) {
    const pixel = pixels[i] as number;
    into[to] = pixel;
    into[to + 1] = pixel >>> 8;
    into[to + 2] = pixel >>> 16;
  }
}

/** The same for steps near or past the edge. Up to half a pixel past the edge still belongs to the edge's pixel. */
function sampleEdge(
  pixels: Int32Array,
  width: number,
  line: Line,
  begin: number,
  end: number,
  start: number,
  into: Uint8Array,
): void {
  const right = width - 1;
  const bottom = pixels.length / width - 1;
  for (let column = begin, to = start + 3 * begin; column < end; column++, to += 3) {
    const x = line.x + column * line.dx;
    const y = line.y + column * line.dy;
    if (line.dy === 0 && (y < -0.5 || y > bottom + 0.5 || (x > right + 0.5 && line.dx > 0))) {
      into.fill(0, to, start + 3 * end);
      return;
    }
    if (x < -0.5 || y < -0.5 || x > right + 0.5 || y > bottom + 0.5) {
      into[to] = into[to + 1] = into[to + 2] = 0;
      continue;
    }
    const fixedX = Math.round(Math.min(Math.max(x, 0), right) * 256);
    const fixedY = Math.round(Math.min(Math.max(y, 0), bottom) * 256);
    const i = (fixedY >> 8) * width + (fixedX >> 8);
    const next = fixedX >> 8 < right ? 1 : 0;
    const below = fixedY >> 8 < bottom ? width : 0;
    const mixed = mix(
      pixels[i] as number,
      pixels[i + next] as number,
      pixels[i + below] as number,
      pixels[i + below + next] as number,
      fixedX & 255,
      fixedY & 255,
    );
    into[to] = mixed;
    into[to + 1] = mixed >>> 8;
    into[to + 2] = mixed >>> 16;
  }
}

function halve(pixels: Int32Array, width: number, height: number): Int32Array {
  const outWidth = width >> 1;
  const outHeight = height >> 1;
  const result = new Int32Array(outWidth * outHeight);
  let to = 0;
  for (let y = 0; y < outHeight; y++) {
    let i = (2 * y * width) | 0;
    for (let x = 0; x < outWidth; x++) {
      const a = (pixels[i] as number) | 0;
      const b = (pixels[i + 1] as number) | 0;
      const c = (pixels[i + width] as number) | 0;
      const d = (pixels[i + width + 1] as number) | 0;
      const redAndBlue = ((a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff) + 0x20002) | 0;
      const green = ((a & 0xff00) + (b & 0xff00) + (c & 0xff00) + (d & 0xff00) + 0x200) | 0;
      result[to] = ((redAndBlue >>> 2) & 0xff00ff) | ((green >>> 2) & 0xff00);
      to = (to + 1) | 0;
      i = (i + 2) | 0;
    }
  }
  return result;
}

/** Bilinear mean of four pixels. `fx`, `fy`: position between them in 256ths. */
function mix(a: number, b: number, c: number, d: number, fx: number, fy: number): number {
  const w11 = (fx * fy) >> 8;
  const w10 = (fx - w11) | 0;
  const w01 = (fy - w11) | 0;
  const w00 = (256 - fx - w01) | 0;
  const redAndBlue =
    (imul(a & 0xff00ff, w00) +
      imul(b & 0xff00ff, w10) +
      imul(c & 0xff00ff, w01) +
      imul(d & 0xff00ff, w11) +
      0x800080) |
    0;
  const green =
    (imul(a & 0xff00, w00) + imul(b & 0xff00, w10) + imul(c & 0xff00, w01) + imul(d & 0xff00, w11) + 0x8000) |
    0;
  return ((redAndBlue >>> 8) & 0xff00ff) | ((green >>> 8) & 0xff00);
}

/** Mirrors a square of RGB pixels left to right, in place. */
export function mirror(pixels: Uint8Array, size: number): void {
  for (let row = 0; row < size; row++) {
    let left = 3 * row * size;
    for (let right = left + 3 * (size - 1); left < right; left += 3, right -= 3) {
      for (let channel = 0; channel < 3; channel++) {
        const value = pixels[left + channel] as number;
        pixels[left + channel] = pixels[right + channel] as number;
        pixels[right + channel] = value;
      }
    }
  }
}
