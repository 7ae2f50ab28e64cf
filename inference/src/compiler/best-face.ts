/**
 * The best candidate of a BlazeFace detector as part of a graph: what `detectors/blazeface` and `suppress` compute, for an
 * image in which one candidate remains.
 */
import { anchorOf, type BlazefaceGrid, blazefaceMeshBox, grids } from '../pipeline/detectors/blazeface';
import { nearWidth } from '../pipeline/faces/find-faces';
import { maxOverlap } from '../pipeline/image/boxes';
import type { Arithmetic } from './arithmetic';

/** In pixels of the detector's input; each [N, 1, 1] but `count`. */
export interface BestFace {
  /** Candidates that remain after suppression, counted up to 2; [N, 1]. */
  readonly count: string;
  /** Probability, 0 to 1. */
  readonly score: string;
  /** Center and size of the box around its mesh, as far as the detector's box says. */
  readonly x: string;
  readonly y: string;
  readonly width: string;
  readonly height: string;
  /** Unit vector from the first eye to the second. */
  readonly cos: string;
  readonly sin: string;
}

interface Options {
  readonly inputSize: number;
  readonly minScore: number;
  readonly minSmallScore: number;
}

const logitOf = (probability: number) => Math.log(probability / (1 - probability));

/** Less than any logit. */
const never = -1e4;

/** @param outputs of the detector by name: logits [N, anchors], offsets [N, anchors, 16]. */
export function bestFace(
  math: Arithmetic,
  outputs: Readonly<Record<string, string>>,
  { inputSize, minScore, minSmallScore }: Options,
): BestFace {
  const { add, sub, mul, div, min, max } = math;
  const joined = (name: (grid: BlazefaceGrid) => string) =>
    math.concat(1, ...grids.map((grid) => outputs[name(grid)] as string));
  const logits = math.reshape(
    joined(({ logits: name }) => name),
    [0, -1, 1],
  );
  const offsets = joined(({ offsets: name }) => name);
  const anchors = grids.flatMap((grid) =>
    Array.from({ length: grid.cells * grid.cells * grid.perCell }, (_, i) => anchorOf(grid, i, inputSize)),
  );
  const constant = (values: number[]) => math.constant(values, [1, values.length, 1]);
  const offset = (index: number) => math.slice(offsets, 2, index);
  const all = {
    x: add(offset(0), constant(anchors.map(({ x }) => x))),
    y: add(offset(1), constant(anchors.map(({ y }) => y))),
    width: offset(2),
    height: offset(3),
    eyesX: sub(offset(6), offset(4)),
    eyesY: sub(offset(7), offset(5)),
  };

  const isSure = max(
    math.atLeast(all.width, nearWidth * inputSize),
    math.atLeast(logits, logitOf(minSmallScore)),
  );
  const isCandidate = mul(math.atLeast(logits, logitOf(minScore)), isSure);
  const ranked = math.where(isCandidate, logits, never);
  const best = math.largest(ranked, 1);
  // The first of equals, as in a stable sort.
  const position = constant(anchors.map((_, i) => i));
  const first = math.least(math.where(math.atLeast(ranked, best), position, anchors.length), 1);
  const chosen = mul(math.atLeast(position, first), math.atLeast(first, position));
  const ofBest = (value: string) => math.sum(mul(value, chosen), 1);
  const x = ofBest(all.x);
  const y = ofBest(all.y);
  const width = ofBest(all.width);
  const height = ofBest(all.height);

  const shared = (center: string, length: string, bestCenter: string, bestLength: string) =>
    max(
      sub(
        min(add(center, div(length, 2)), add(bestCenter, div(bestLength, 2))),
        max(sub(center, div(length, 2)), sub(bestCenter, div(bestLength, 2))),
      ),
      0,
    );
  const both = mul(shared(all.x, all.width, x, width), shared(all.y, all.height, y, height));
  const either = sub(add(mul(all.width, all.height), mul(width, height)), both);
  const isOther = mul(isCandidate, math.atLeast(mul(either, maxOverlap), both));
  const others = min(math.sum(isOther, 1), 1);

  const eyesX = ofBest(all.eyesX);
  const eyesY = ofBest(all.eyesY);
  const distance = max(math.hypot(eyesX, eyesY), 1e-6);
  const cos = div(eyesX, distance);
  const sin = div(eyesY, distance);
  const down = mul(max(width, height), blazefaceMeshBox.drop);
  return {
    count: math.reshape(add(math.atLeast(best, never / 2), others), [0, 1]),
    score: math.sigmoid(best),
    x: sub(x, mul(sin, down)),
    y: add(y, mul(cos, down)),
    width: mul(width, blazefaceMeshBox.width),
    height: mul(height, blazefaceMeshBox.height),
    cos,
    sin,
  };
}
