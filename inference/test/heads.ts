/** Heads of eight people, cut from the office photographs. */
import sharp from 'sharp';
import { photo } from './photos';

/** Photograph and center of a head, as proportions of width and height. */
const centers = [
  [1, 0.266, 0.387],
  [1, 0.821, 0.253],
  [3, 0.617, 0.277],
  [3, 0.362, 0.356],
  [5, 0.786, 0.386],
  [5, 0.356, 0.395],
  [6, 0.829, 0.277],
  [6, 0.187, 0.416],
] as const;

const side = 330;

/** A square around each head, of which the face takes up about half; no two show one person. */
export const heads = (): Promise<sharp.Sharp[]> =>
  Promise.all(
    centers.map(async ([number, x, y]) => {
      const { width, height } = await sharp(photo(number)).metadata();
      const start = (center: number) => Math.max(0, Math.round(center - side / 2));
      const area = { left: start(x * width), top: start(y * height), width: side, height: side };
      return sharp(photo(number)).extract(area);
    }),
  );
