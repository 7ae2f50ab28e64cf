/**
 * The candidates of YuNet as part of a graph: what `detectors/yunet`, `suppress` and `withMeshBox` compute, for an image in
 * which one candidate remains.
 */
import { strides, yunet } from '../pipeline/detectors/yunet';
import { maxInside, maxOverlap, minDoubleArea } from '../pipeline/image/boxes';
import type { Arithmetic } from './arithmetic';
import type { Maps } from './sampling';

/** A box around a mesh, as far as the detector's box says, in pixels of the detector's input. */
interface PlacedBox {
  /** The corner of its cell. */
  readonly left: string;
  readonly top: string;
  /** Its center, seen from that corner, and its size. */
  readonly x: string;
  readonly y: string;
  readonly width: string;
  readonly height: string;
  /** Unit vector from the first eye to the second. */
  readonly cos: string;
  readonly sin: string;
}

/** The candidates of a detector for whole images, one for each cell of its grids; each value [N, cells, 1]. */
export interface Candidates extends PlacedBox {
  readonly score: string;
  /** 1 for the candidate with the highest score, or for any cell where there is no candidate. */
  readonly isBest: string;
  /** 1 for a candidate that the best one does not suppress, and for itself. */
  readonly isKept: string;
}

/** Each value [N, 1, 1]. */
export interface BestFace extends PlacedBox {
  /** Candidates that remain after suppression, counted up to 2. */
  readonly count: string;
  /** Probability, 0 to 1. */
  readonly score: string;
}

interface Options {
  readonly inputSize: number;
  readonly minScore: number;
}

/** @param outputs of the detector by name. */
export function candidatesOf(
  math: Arithmetic,
  outputs: Readonly<Record<string, string>>,
  { inputSize, minScore }: Options,
): Candidates {
  const { add, sub, mul, div, min, max } = math;
  /** An output of all grids, with `count` values for each cell. */
  const joined = (name: string, count: number) =>
    math.concat(
      1,
      ...strides.map((stride) => math.reshape(outputs[`${name}_${stride}`] as string, [0, -1, count])),
    );
  const cells = strides.flatMap((stride) => cellsOf(stride, inputSize));
  const constant = (values: number[]) => math.constant(values, [1, values.length, 1]);
  const column = constant(cells.map((cell) => cell.column));
  const row = constant(cells.map((cell) => cell.row));
  const stride = constant(cells.map((cell) => cell.stride));
  const [left, top] = [mul(column, stride), mul(row, stride)];
  const boxes = joined('bbox', 4);
  const points = joined('kps', 10);

  const score = min(math.sqrt(mul(joined('cls', 1), joined('obj', 1))), 1);
  const isCandidate = math.atLeast(score, minScore);
  const box = {
    x: mul(math.slice(boxes, 2, 0), stride),
    y: mul(math.slice(boxes, 2, 1), stride),
    width: mul(math.exp(math.slice(boxes, 2, 2)), stride),
    height: mul(math.exp(math.slice(boxes, 2, 3)), stride),
  };

  const ranked = math.where(isCandidate, score, -1);
  // The first of several equal scores wins, as in a stable sort.
  const position = constant(cells.map((_, i) => i));
  const first = math.least(
    math.where(math.atLeast(ranked, math.largest(ranked, 1)), position, cells.length),
    1,
  );
  const isBest = mul(math.atLeast(position, first), math.atLeast(first, position));
  const centered = { ...box, x: add(left, box.x), y: add(top, box.y) };
  const isApart = isNoDouble(math, centered, {
    x: ofBest(math, centered.x, isBest),
    y: ofBest(math, centered.y, isBest),
    width: ofBest(math, box.width, isBest),
    height: ofBest(math, box.height, isBest),
  });

  // The distances lead from the first eye to the second, in units of the stride. The points are rounded to 32-bit
  // floats, as in the pipeline.
  const point = (cell: string, index: number) => add(cell, math.slice(points, 2, index));
  const across = sub(point(column, 2), point(column, 0));
  const down = sub(point(row, 3), point(row, 1));
  const distance = max(math.hypot(across, down), 1e-6);
  const cos = div(across, distance);
  const sin = div(down, distance);
  const { meshBox } = yunet;
  const drop = mul(max(box.width, box.height), meshBox.drop);
  return {
    score,
    isBest,
    isKept: mul(isCandidate, max(isBest, isApart)),
    left,
    top,
    x: sub(box.x, mul(sin, drop)),
    y: add(box.y, mul(cos, drop)),
    width: mul(box.width, meshBox.width),
    height: mul(box.height, meshBox.height),
    cos,
    sin,
  };
}

function cellsOf(stride: number, inputSize: number) {
  const perRow = Math.ceil(inputSize / stride);
  return Array.from({ length: perRow ** 2 }, (_, i) => ({
    column: i % perRow,
    row: Math.floor(i / perRow),
    stride,
  }));
}

/** The best candidate's value. A sum of products would be NaN where a cell without a candidate has no finite size. */
const ofBest = (math: Arithmetic, values: string, isBest: string) =>
  math.sum(math.where(isBest, values, 0), 1);

type CenteredBox = Pick<PlacedBox, 'x' | 'y' | 'width' | 'height'>;

/** 1 for boxes that are not of the same face as another; see `isDouble`. */
function isNoDouble(math: Arithmetic, all: CenteredBox, box: CenteredBox): string {
  const { add, sub, mul, div, min, max } = math;
  const shared = (center: string, length: string, otherCenter: string, otherLength: string) =>
    max(
      sub(
        min(add(center, div(length, 2)), add(otherCenter, div(otherLength, 2))),
        max(sub(center, div(length, 2)), sub(otherCenter, div(otherLength, 2))),
      ),
      0,
    );
  const both = mul(shared(all.x, all.width, box.x, box.width), shared(all.y, all.height, box.y, box.height));
  const areas = [mul(all.width, all.height), mul(box.width, box.height)] as const;
  const either = sub(add(...areas), both);
  const isOutside = math.atLeast(mul(min(...areas), maxInside), both);
  const isFarSmaller = math.atLeast(mul(max(...areas), minDoubleArea), min(...areas));
  return mul(math.atLeast(mul(either, maxOverlap), both), max(isOutside, isFarSmaller));
}

export function bestFace(math: Arithmetic, candidates: Candidates): BestFace {
  const value = (values: string) => ofBest(math, values, candidates.isBest);
  return {
    count: math.min(math.sum(candidates.isKept, 1), 2),
    score: value(candidates.score),
    left: value(candidates.left),
    top: value(candidates.top),
    x: value(candidates.x),
    y: value(candidates.y),
    width: value(candidates.width),
    height: value(candidates.height),
    cos: value(candidates.cos),
    sin: value(candidates.sin),
  };
}

/** The lowest and the highest of a mesh's positions along one axis, in image pixels. */
interface Extent {
  readonly first: string;
  readonly last: string;
}

/**
 * @param view maps from pixels of the detector's input of this size to image pixels, without rotation.
 * @param points of a mesh [N, 468, 2] in image pixels.
 * @returns [N, 1, 1], 1 where a candidate is of another face: its center lies outside of the box around the points, or it is
 *   far smaller than that box. See `isKnown` of the pipeline.
 */
export function areOfOtherFaces(
  math: Arithmetic,
  candidates: Candidates,
  { maps, inputSize }: { maps: Maps; inputSize: number },
  points: string,
): string {
  const { add, sub, mul, max } = math;
  const half = (inputSize - 1) / 2;
  const inImage = (corner: string, center: string, scale: string) =>
    mul(add(sub(corner, half), center), scale);
  const along = [0, 1].map((axis) => {
    const values = math.slice(points, 2, axis);
    return { first: math.least(values, 1), last: math.largest(values, 1) };
  }) as [Extent, Extent];
  const outside = (center: string, { first, last }: Extent) =>
    max(math.atLeast(first, center), math.atLeast(center, last));
  const isOutside = max(
    outside(add(inImage(candidates.left, candidates.x, maps.a), maps.c, maps.left), along[0]),
    outside(add(inImage(candidates.top, candidates.y, maps.e), maps.f, maps.top), along[1]),
  );
  const [width, height] = along.map(({ first, last }) => sub(last, first)) as [string, string];
  const isFarSmaller = math.atLeast(
    mul(width, height, minDoubleArea),
    mul(candidates.width, candidates.height, maps.a, maps.e),
  );
  return math.largest(mul(candidates.isKept, max(isOutside, isFarSmaller)), 1);
}
