/**
 * SCRFD's outputs: on grids of several strides, usually 8, 16 and 32 with two anchors a cell, a probability for each
 * anchor and the distances from the cell's corner to the four sides of the box in units of the stride; where the model
 * has them, also the offsets of five points. Outputs are `score_8`, `bbox_8`, `kps_8` and so on for each stride.
 * Guo et al., "Sample and Computation Redistribution for Efficient Face Detection", 2021.
 */
import { type Candidate, pointsOfFive, rollOfEyes } from './candidates';
import { type Decoder, valuesOf } from './detector';

const stridesOf = (names: readonly string[]) =>
  names.flatMap((name) => {
    const [, stride] = name.match(/^score_(\d+)$/) ?? [];
    return stride === undefined ? [] : [Number(stride)];
  });

const cellsOf = (inputSize: number, stride: number) => Math.ceil(inputSize / stride);

export const scrfd: Decoder = {
  meshBox: { drop: 0.059, width: 1.026, height: 0.882 },
  minRollScore: 0.7,
  minUnconfirmedScore: 0.7,

  needs(inputSize, sizes) {
    const fileStrides = stridesOf(Object.keys(sizes));
    const strides = fileStrides.length > 0 ? fileStrides : [8, 16, 32];
    return Object.fromEntries(
      strides.flatMap((stride) => {
        const cells = cellsOf(inputSize, stride) ** 2;
        const perCell = Math.max(1, Math.round((sizes[`score_${stride}`] ?? 2 * cells) / cells));
        const needed = [
          [`score_${stride}`, cells * perCell],
          [`bbox_${stride}`, 4 * cells * perCell],
        ];
        return sizes[`kps_${stride}`] === undefined
          ? needed
          : [...needed, [`kps_${stride}`, 10 * cells * perCell]];
      }),
    );
  },

  read(outputs, { inputSize, minScore }) {
    return stridesOf(Object.keys(outputs)).flatMap((stride) => {
      const scores = valuesOf(outputs, `score_${stride}`);
      const bbox = valuesOf(outputs, `bbox_${stride}`);
      const kps = outputs[`kps_${stride}`];
      const cells = cellsOf(inputSize, stride);
      const perCell = scores.length / cells ** 2;
      const candidates: Candidate[] = [];
      scores.forEach((score, anchor) => {
        if (!(score >= minScore)) return;
        const cell = Math.floor(anchor / perCell);
        const x = (cell % cells) * stride;
        const y = Math.floor(cell / cells) * stride;
        const [left, top, right, bottom] = bbox
          .subarray(4 * anchor, 4 * anchor + 4)
          .map((distance) => distance * stride) as unknown as [number, number, number, number];
        const points =
          kps &&
          pointsOfFive(
            kps.subarray(10 * anchor, 10 * anchor + 10).map((offset, i) => (i % 2 ? y : x) + offset * stride),
          );
        candidates.push({
          score,
          left: x - left,
          top: y - top,
          width: left + right,
          height: top + bottom,
          angle: points ? rollOfEyes(points) : 0,
          ...(points && { points }),
        });
      });
      return candidates;
    });
  },
};
