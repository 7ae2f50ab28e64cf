/**
 * YuNet's outputs: no anchors, at most one face per cell of three grids. For each cell a class probability and an
 * objectness, whose geometric mean is the score; the box's center as an offset from the cell's corner and the
 * logarithm of its size, and five points, all in units of the stride.
 * Wu et al., "YuNet: A Tiny Millisecond-level Face Detector", 2023; the box's code is that of Ge et al., "YOLOX", 2021.
 */
import { type Candidate, pointsOfFive, rollOfEyes } from './candidates';
import { type Decoder, valuesOf } from './detector';

export const strides = [8, 16, 32] as const;
/** Values of a cell, by output. */
const valuesPerCell = { cls: 1, obj: 1, bbox: 4, kps: 10 } as const;

export const yunet: Decoder = {
  meshBox: { drop: 0.045, width: 1.009, height: 0.88 },
  /**
   * Measured on 300 portraits of LFW in the seven other eighth-turns. With an input of 256 pixels, YuNet saw 1,680 turned
   * faces, and none reached this score; 23 reached 0.9, 15 of them with a roll that was wrong by more than 40 degrees. With
   * 640 pixels, 4 of 1,875 reached it, one with a wrong roll. Upright, 48 and 16 of the 300 stay below and get a close look.
   */
  minRollScore: 0.92,
  // Set by judgment. How many objects that are no faces reach it has not been counted apart.
  minUnconfirmedScore: 0.8,

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
      const candidates: Candidate[] = [];
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
        candidates.push({
          // Rounding may carry the mean of two probabilities past one.
          score: Math.min(1, score),
          left: (column + box(0)) * stride - width / 2,
          top: (row + box(1)) * stride - height / 2,
          width,
          height,
          angle: rollOfEyes(points),
          points,
        });
      });
      return candidates;
    });
  },
};
