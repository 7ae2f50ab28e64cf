/**
 * Traces of strong JPEG compression. JPEG encodes squares of 8 x 8 pixels one by one; the fewer values it keeps of each,
 * the more the levels jump at their edges.
 */
import type { Box } from '../../wire/faces';
import type { DecodedImage } from '../image/decoded-image';

/** Side of a square in pixels. */
const square = 8;
/** Longest side in pixels of the measured part of a face: enough edges, and little time. */
const maxSide = 96;

/**
 * How much more the levels change at the edges of the squares than beside them, as a multiple of their mean change: at
 * most 0.45 for portraits of LFW, 0.5 to 1 at JPEG quality 30, and 1.2 to 2.2 at 10. The squares may begin anywhere, so a
 * cropped image counts; a resized one has no squares.
 */
export function blockinessOf(image: DecodedImage, box: Box): number {
  const columns = within(box.left, box.width, image.width);
  const rows = within(box.top, box.height, image.height);
  const across = jumps(image, { lines: rows, steps: columns, next: 1, line: image.width });
  const down = jumps(image, { lines: columns, steps: rows, next: image.width, line: 1 });
  const change = (across.change + down.change) / 2;
  // Half a level avoids dividing by zero for a flat area.
  return (across.excess + down.excess) / 2 / (change + 0.5);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The middle of a span of a face, with the neighbors that `jumps` reads inside the image. */
function within(start: number, length: number, limit: number): Range {
  const half = Math.min(length, maxSide) / 2;
  const middle = start + length / 2;
  return { from: Math.max(1, Math.floor(middle - half)), to: Math.min(limit - 2, Math.ceil(middle + half)) };
}

interface Walk {
  readonly lines: Range;
  readonly steps: Range;
  /** Distance in the array between neighbors of a line, and between lines. */
  readonly next: number;
  readonly line: number;
}

/** The mean change from pixel to pixel, and the excess at the edge with the greatest over the mean of the others. */
function jumps({ pixels }: DecodedImage, { lines, steps, next, line }: Walk) {
  const excess = new Float64Array(square);
  let change = 0;
  for (let l = lines.from; l < lines.to; l++) {
    let i = l * line + steps.from * next;
    let before = jump(pixels, i - next, next);
    let current = jump(pixels, i, next);
    for (let s = steps.from; s < steps.to; s++) {
      i += next;
      const after = jump(pixels, i, next);
      excess[s % square] = (excess[s % square] as number) + current - (before + after) / 2;
      change += current;
      before = current;
      current = after;
    }
  }
  const count = Math.max(1, (lines.to - lines.from) * (steps.to - steps.from));
  const greatest = Math.max(...excess);
  const others = (excess.reduce((sum, value) => sum + value, 0) - greatest) / (square - 1);
  return { change: change / count, excess: ((greatest - others) * square) / count };
}

/** The difference in green, which is close to luma, between a pixel and the next. */
const jump = (pixels: Int32Array, i: number, next: number) =>
  Math.abs((((pixels[i + next] as number) >>> 8) & 0xff) - (((pixels[i] as number) >>> 8) & 0xff));
