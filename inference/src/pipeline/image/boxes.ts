import type { Box } from '../../wire/faces';
export interface ScoredBox extends Box {
  /** Probability that the box holds a face, 0 to 1. */
  readonly score: number;
}

export const area = (box: Box) => box.width * box.height;

/** Intersection over union of two boxes, 0 to 1. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (area(a) + area(b) - shared);
}

/** Greedy non-maximum suppression: of boxes that overlap more than `limit`, keeps the best. */
export function suppress<T extends ScoredBox>(boxes: readonly T[], limit: number): T[] {
  const kept: T[] = [];
  for (const box of [...boxes].sort((a, b) => b.score - a.score)) {
    if (kept.every((other) => overlap(box, other) <= limit)) kept.push(box);
  }
  return kept;
}

/** The part of a box inside the image. */
export function clip(box: Box): Box {
  const left = Math.min(1, Math.max(0, box.left));
  const top = Math.min(1, Math.max(0, box.top));
  const right = Math.min(1, Math.max(0, box.left + box.width));
  const bottom = Math.min(1, Math.max(0, box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

/** A box in pixels as proportions of its image, clipped to it. */
export function proportionsOf(
  { left, top, width, height }: Box,
  image: { readonly width: number; readonly height: number },
): Box {
  return clip({
    left: left / image.width,
    top: top / image.height,
    width: width / image.width,
    height: height / image.height,
  });
}
