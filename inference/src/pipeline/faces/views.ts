/** The squares of images that detectors look at. */
import type { DecodedImage } from '../image/decoded-image';
import { type Affine, cropMap } from '../image/geometry';

/** The thorough input only enlarges what the near one shows of squares up to this side in pixels. */
export const maxNearSide = 320;
/**
 * An image with a longer side of more than this multiple of the shorter one is a strip, which is searched in squares of about
 * twice its height.
 */
export const minStripRatio = 3;
const maxStripSquares = 16;

export const eighthTurn = Math.PI / 4;
/** A multiple of 45 degrees clockwise, above 0. */
export type Turn = 1 | 2 | 3 | 4 | 5 | 6 | 7;
export const allTurns: readonly Turn[] = [1, 2, 3, 4, 5, 6, 7];

/** A square of an image for a detector, independent of the size of the detector's input. */
export interface View {
  /** Position of the image in its batch. */
  readonly index: number;
  /** Center and side of the square in image pixels. */
  readonly x: number;
  readonly y: number;
  readonly side: number;
  /** Rotation of the square against the image in radians. */
  readonly angle: number;
}

/** Map from pixels of an input of the given size to image pixels. */
export const mapToImage = (view: View, size: number): Affine => cropMap(view, size);

/** Whether a square has details that the near input does not show. */
export const hasDetails = ({ side }: View) => side > maxNearSide;

export const isStrip = ({ width, height, longestSide }: DecodedImage): boolean =>
  longestSide > minStripRatio * Math.min(width, height);

/**
 * The whole image in the top left of a square. An image of extreme shape is a strip of squares instead, which overlap
 * so far that no face is cut in all of them.
 */
export function wholeViews(index: number, image: DecodedImage): View[] {
  const { width, height, longestSide } = image;
  if (!isStrip(image)) return [squareAt(index, 0, 0, longestSide)];
  const side = Math.max(2 * Math.min(width, height), (2 * longestSide) / (maxStripSquares + 1));
  const count = Math.min(maxStripSquares, Math.ceil((2 * longestSide) / side) - 1);
  return spread(longestSide - side, count).map((start) =>
    width > height ? squareAt(index, start, 0, side) : squareAt(index, 0, start, side),
  );
}

/** The image in some of its turns. */
export function turnedViews(index: number, image: DecodedImage, turns: Iterable<Turn> = []): View[] {
  const { width, height } = image;
  const center = { x: (width - 1) / 2, y: (height - 1) / 2 };
  return [...turns].map((turn) => {
    const angle = turn * eighthTurn;
    const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
    const side = Math.max(width * cos + height * sin, width * sin + height * cos);
    return { index, ...center, side, angle };
  });
}

/** Squares of half the longer side that overlap, so that no face is cut in all of them. */
export function tiles(index: number, image: DecodedImage): View[] {
  const { width, height, longestSide } = image;
  const side = longestSide / 2;
  const starts = (length: number) =>
    spread(length - side, Math.max(1, Math.ceil((length / side - 1) / 0.75) + 1));
  return starts(height).flatMap((top) => starts(width).map((left) => squareAt(index, left, top, side)));
}

const squareAt = (index: number, left: number, top: number, side: number): View => ({
  index,
  x: left + (side - 1) / 2,
  y: top + (side - 1) / 2,
  side,
  angle: 0,
});

/** `count` numbers from 0 to `last`, evenly spaced; 0 alone for one. */
const spread = (last: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => (count === 1 ? 0 : (i * last) / (count - 1)));
