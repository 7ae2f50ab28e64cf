/**
 * The answer of an SSD with its boxes already decoded: top, left, bottom, right as proportions of the square input,
 * and scores. Liu et al., "SSD: Single Shot MultiBox Detector", 2016.
 */
import type { Candidate } from './candidates';
import { type Decoder, valuesOf } from './detector';

export const ssd: Decoder = {
  needs: (_, { scores = 1 }) => ({ scores, boxes: 4 * scores }),

  read(answer, { inputSize, minScore }) {
    const boxes = valuesOf(answer, 'boxes');
    const found: Candidate[] = [];
    valuesOf(answer, 'scores').forEach((score, i) => {
      if (!(score >= minScore)) return;
      const [top, left, bottom, right] = boxes
        .subarray(4 * i, 4 * i + 4)
        .map((proportion) => proportion * inputSize) as unknown as [number, number, number, number];
      found.push({ score, left, top, width: right - left, height: bottom - top, angle: 0 });
    });
    return found;
  },
};
