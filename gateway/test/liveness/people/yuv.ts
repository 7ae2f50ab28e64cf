/** Planar YUV with quarter-size chroma, as in cameras and codecs: ITU-R BT.601, limited range. */
import type { Rgb } from './image';

/** @param image of even width and height */
export function i420Of({ data, width, height }: Rgb): Uint8Array {
  const luma = width * height;
  const planes = new Uint8Array(luma + luma / 2);
  for (let i = 0; i < luma; i++) {
    const [r, g, b] = [data[3 * i] as number, data[3 * i + 1] as number, data[3 * i + 2] as number];
    planes[i] = 16.5 + 0.257 * r + 0.504 * g + 0.098 * b;
  }
  const half = width / 2;
  for (let y = 0; y < height / 2; y++) {
    for (let x = 0; x < half; x++) {
      const at = 3 * (2 * y * width + 2 * x);
      const mean = (channel: number) =>
        ((data[at + channel] as number) +
          (data[at + 3 + channel] as number) +
          (data[at + 3 * width + channel] as number) +
          (data[at + 3 * width + 3 + channel] as number)) /
        4;
      const [r, g, b] = [mean(0), mean(1), mean(2)];
      planes[luma + y * half + x] = 128.5 - 0.148 * r - 0.291 * g + 0.439 * b;
      planes[luma + luma / 4 + y * half + x] = 128.5 + 0.439 * r - 0.368 * g - 0.071 * b;
    }
  }
  return planes;
}
