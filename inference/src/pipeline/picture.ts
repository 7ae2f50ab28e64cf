/**
 * A decoded picture and its resampling. Pictures are RGB, row-major, one byte a value. Enlarging is bilinear;
 * shrinking first halves by averaging until less than a factor of two is left, so nothing is skipped (a mip map).
 */
import type { Affine } from './geometry';
import { mapX, mapY, scaleOf } from './geometry';

export class Picture {
  private halved: Picture | undefined;

  constructor(
    /** width * height * 3 bytes. */
    readonly data: Uint8Array,
    readonly width: number,
    readonly height: number,
  ) {}

  get longestSide(): number {
    return Math.max(this.width, this.height);
  }

  /** The picture at half its size, made once. */
  get half(): Picture {
    this.halved ??= halve(this);
    return this.halved;
  }

  /**
   * Samples a square of `size` pixels.
   * @param toPicture map from square to picture coordinates.
   * @param into where the size * size * 3 bytes go. What lies outside the picture is black.
   */
  sample(toPicture: Affine, size: number, into: Uint8Array): void {
    if (scaleOf(toPicture) >= 2 && Math.min(this.width, this.height) >= 2) {
      // A pixel of the half covers two by two of the whole: its centre lies at (x - 0.5) / 2.
      const [a, b, c, d, e, f] = toPicture;
      this.half.sample([a / 2, b / 2, c / 2 - 0.25, d / 2, e / 2, f / 2 - 0.25], size, into);
      return;
    }
    sampleBilinear(this, toPicture, size, into);
  }

  /** The whole picture stretched to a square, corner on corner. */
  squeeze(size: number, into: Uint8Array): void {
    const { width, height } = this;
    if (Math.min(width, height) >= 2 * size) {
      this.half.squeeze(size, into);
      return;
    }
    const last = size - 1;
    sampleBilinear(this, [(width - 1) / last, 0, 0, 0, (height - 1) / last, 0], size, into);
  }
}

/** Every picture stretched to a square of `size` pixels: the batch of a model that wants the whole picture. */
export function squeezeAll(pictures: readonly Picture[], size: number): Uint8Array {
  const bytes = 3 * size * size;
  const pixels = new Uint8Array(pictures.length * bytes);
  pictures.forEach((picture, i) => {
    picture.squeeze(size, pixels.subarray(i * bytes, (i + 1) * bytes));
  });
  return pixels;
}

function halve({ data, width, height }: Picture): Picture {
  const outWidth = width >> 1;
  const outHeight = height >> 1;
  const result = new Uint8Array(3 * outWidth * outHeight);
  const row = 3 * width;
  let to = 0;
  for (let y = 0; y < outHeight; y++) {
    let from = 2 * y * row;
    for (let x = 0; x < outWidth; x++, from += 6) {
      for (let channel = 0; channel < 3; channel++, to++) {
        const i = from + channel;
        const sum =
          (data[i] as number) +
          (data[i + 3] as number) +
          (data[i + row] as number) +
          (data[i + row + 3] as number);
        result[to] = (sum + 2) >> 2;
      }
    }
  }
  return new Picture(result, outWidth, outHeight);
}

function sampleBilinear(picture: Picture, toPicture: Affine, size: number, into: Uint8Array): void {
  const { data, width, height } = picture;
  const [dx, , , dy] = toPicture;
  const right = width - 1;
  const bottom = height - 1;
  let to = 0;
  for (let row = 0; row < size; row++) {
    let x = mapX(toPicture, 0, row);
    let y = mapY(toPicture, 0, row);
    for (let column = 0; column < size; column++, to += 3, x += dx, y += dy) {
      // Half a pixel beyond the edge still belongs to the edge's pixel.
      if (x < -0.5 || y < -0.5 || x > right + 0.5 || y > bottom + 0.5) {
        into[to] = into[to + 1] = into[to + 2] = 0;
        continue;
      }
      const cx = x < 0 ? 0 : x > right ? right : x;
      const cy = y < 0 ? 0 : y > bottom ? bottom : y;
      const left = Math.min(cx | 0, right - 1 < 0 ? 0 : right - 1);
      const top = Math.min(cy | 0, bottom - 1 < 0 ? 0 : bottom - 1);
      const fx = cx - left;
      const fy = cy - top;
      const w11 = fx * fy;
      const w10 = fx - w11;
      const w01 = fy - w11;
      const w00 = 1 - fx - w01;
      const i = 3 * (top * width + left);
      const j = bottom > 0 ? i + 3 * width : i;
      const step = right > 0 ? 3 : 0;
      for (let channel = 0; channel < 3; channel++) {
        into[to + channel] =
          (data[i + channel] as number) * w00 +
          (data[i + step + channel] as number) * w10 +
          (data[j + channel] as number) * w01 +
          (data[j + step + channel] as number) * w11 +
          0.5;
      }
    }
  }
}

/** A square of RGB pixels mirrored left to right. */
export function mirror(pixels: Uint8Array, size: number): Uint8Array {
  const mirrored = new Uint8Array(pixels.length);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = 3 * (y * size + x);
      const to = 3 * (y * size + size - 1 - x);
      mirrored[to] = pixels[from] as number;
      mirrored[to + 1] = pixels[from + 1] as number;
      mirrored[to + 2] = pixels[from + 2] as number;
    }
  }
  return mirrored;
}
