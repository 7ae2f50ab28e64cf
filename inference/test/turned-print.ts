/** A presentation attack that needs no attacker: a photograph as a flat print, turned before the camera. */
import { DecodedImage } from '../src/pipeline/image/decoded-image';
import { rgbOf } from './rgb-of';

// Local, because every use of a global is slow in the context of a test.
const { floor, round } = Math;

export interface PrintView {
  /** Turn about the vertical axis in degrees. */
  readonly yaw: number;
  /** Middle of the turn in pixels. */
  readonly x: number;
  readonly y: number;
  /** Camera's distance from there in pixels of the print. */
  readonly distance: number;
}

/** The print through a pinhole camera; what lies outside of it is black. */
export function turnedPrint(print: DecodedImage, { yaw, x: cx, y: cy, distance }: PrintView): DecodedImage {
  const { width, height } = print;
  const data = rgbOf(print);
  const cos = Math.cos((yaw * Math.PI) / 180);
  const sin = Math.sin((yaw * Math.PI) / 180);
  const seen = new Uint8Array(data.length);
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      // The point (X, Y) of the print is seen at distance * (X cos, Y) / (distance + X sin).
      const onPrint = (distance * (u - cx)) / (distance * cos - (u - cx) * sin);
      const x = cx + onPrint;
      const y = cy + (v - cy) * (1 + (onPrint * sin) / distance);
      if (!(x >= 0 && y >= 0 && x < width - 1 && y < height - 1)) continue;
      const left = floor(x);
      const top = floor(y);
      for (let channel = 0; channel < 3; channel++) {
        const at = 3 * (top * width + left) + channel;
        const upper = mix(data[at] as number, data[at + 3] as number, x - left);
        const lower = mix(data[at + 3 * width] as number, data[at + 3 * width + 3] as number, x - left);
        seen[3 * (v * width + u) + channel] = round(mix(upper, lower, y - top));
      }
    }
  }
  return DecodedImage.fromRgb(seen, width, height);
}

const mix = (a: number, b: number, share: number) => a + (b - a) * share;
