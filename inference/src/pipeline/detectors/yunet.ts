/**
 * YuNet's outputs: no anchors, at most one face per cell of three grids. For each cell a class probability and an
 * objectness, whose geometric mean is the score; the box's center as an offset from the cell's corner and the
 * logarithm of its size, and five points, all in units of the stride.
 * Wu et al., "YuNet: A Tiny Millisecond-level Face Detector", 2023; the box's code is that of Ge et al., "YOLOX", 2021.
 */
import { type Candidate, pointsOfFive, rollOf } from './candidates';
import { type Decoder, valuesOf } from './detector';

export const strides = [8, 16, 32] as const;
/** Values of a cell, by output. */
const valuesPerCell = { cls: 1, obj: 1, bbox: 4, kps: 10 } as const;

export const yunet: Decoder = {
  meshBox: { drop: 0.045, width: 1.009, height: 0.88 },
  uprightScore: 0.92,
  sureScore: 0.8,

  needs: (inputSize) =>
    Object.fromEntries(
      strides.flatMap((stride) =>
        Object.entries(valuesPerCell).map(([name, count]) => [
          `${name}_${stride}`,
          count * Math.ceil(inputSize / stride) ** 2,
        ]),
      ),
    ),

  read(outputs, { inputSize, minScore }) {
    return strides.flatMap((stride) => {
      const [cls, obj, bbox, kps] = ['cls', 'obj', 'bbox', 'kps'].map((name) =>
        valuesOf(outputs, `${name}_${stride}`),
      ) as [Float32Array, Float32Array, Float32Array, Float32Array];
      const cells = Math.ceil(inputSize / stride);
      const found: Candidate[] = [];
      cls.forEach((probability, cell) => {
        const score = Math.sqrt(probability * (obj[cell] as number));
        if (!(score >= minScore)) return;
        const column = cell % cells;
        const row = Math.floor(cell / cells);
        const box = (i: number) => bbox[4 * cell + i] as number;
        const points = pointsOfFive(
          kps
            .subarray(10 * cell, 10 * cell + 10)
            .map((offset, i) => ((i % 2 === 0 ? column : row) + offset) * stride),
        );
        const width = Math.exp(box(2)) * stride;
        const height = Math.exp(box(3)) * stride;
        found.push({
          // Rounding may carry the mean of two probabilities past one.
          score: Math.min(1, score),
          left: (column + box(0)) * stride - width / 2,
          top: (row + box(1)) * stride - height / 2,
          width,
          height,
          angle: rollOf(points),
          points,
        });
      });
      return found;
    });
  },
};
