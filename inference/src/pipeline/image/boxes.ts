import type { Box } from '../../wire/faces';
export interface ScoredBox extends Box {
  /** Probability that the box holds a face, 0 to 1. */
  readonly score: number;
}

export const area = (box: Box) => box.width * box.height;

/** Boxes of one face overlap more than this, boxes of adjacent faces less. */
export const maxOverlap = 0.4;
/** A second box of a face may lie inside the first one with more than this proportion of its area. */
export const maxInside = 0.6;
/** A box with less than this proportion of the area of the box around it is of another face, as on a card before a face. */
export const minDoubleArea = 0.15;

function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}

/** Intersection over union of two boxes, 0 to 1. */
export function overlap(a: Box, b: Box): number {
  const shared = sharedArea(a, b);
  return shared === 0 ? 0 : shared / (area(a) + area(b) - shared);
}

/** Whether two boxes are of one face: they overlap, or most of one lies inside the other, which is not far larger. */
export function isDouble(a: Box, b: Box): boolean {
  const shared = sharedArea(a, b);
  if (shared === 0) return false;
  const smaller = Math.min(area(a), area(b));
  const larger = Math.max(area(a), area(b));
  const isInside = shared > maxInside * smaller && smaller > minDoubleArea * larger;
  return isInside || shared > maxOverlap * (smaller + larger - shared);
}

/**
 * Greedy non-maximum suppression: of the boxes of one face, keeps the best.
 * @returns at most `limit` boxes, best first.
 */
export function suppress<T extends ScoredBox>(boxes: readonly T[], limit = Infinity): T[] {
  const kept: T[] = [];
  for (const box of [...boxes].sort((a, b) => b.score - a.score)) {
    if (kept.length === limit) break;
    if (!kept.some((other) => isDouble(box, other))) kept.push(box);
  }
  return kept;
}

/** The part of a box in pixels that lies inside its image. */
export function insideOf(box: Box, image: { readonly width: number; readonly height: number }): Box {
  const left = Math.min(image.width, Math.max(0, box.left));
  const top = Math.min(image.height, Math.max(0, box.top));
  const right = Math.min(image.width, Math.max(0, box.left + box.width));
  const bottom = Math.min(image.height, Math.max(0, box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

/** A box in pixels as proportions of its image, clipped to it. */
export function proportionsOf(box: Box, image: { readonly width: number; readonly height: number }): Box {
  const { left, top, width, height } = insideOf(box, image);
  return {
    left: left / image.width,
    top: top / image.height,
    width: width / image.width,
    height: height / image.height,
  };
}
