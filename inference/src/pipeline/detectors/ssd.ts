/**
 * The outputs of an SSD with decoded boxes: top, left, bottom, right as proportions of the square input,
 * and scores. Liu et al., "SSD: Single Shot MultiBox Detector", 2016.
 */
import type { Candidate } from './candidates';
import { type Decoder, valuesOf } from './detector';

export const ssd: Decoder = {
  meshBox: { drop: 0.049, width: 0.972, height: 0.964 },
  uprightScore: 0.9,

  needs: (_, { scores = 1 }) => ({ scores, boxes: 4 * scores }),

  read(outputs, { inputSize, minScore }) {
    const boxes = valuesOf(outputs, 'boxes');
    const found: Candidate[] = [];
    valuesOf(outputs, 'scores').forEach((score, i) => {
      if (!(score >= minScore)) return;
      const [top, left, bottom, right] = boxes
        .subarray(4 * i, 4 * i + 4)
        .map((proportion) => proportion * inputSize) as unknown as [number, number, number, number];
      found.push({ score, left, top, width: right - left, height: bottom - top, angle: 0 });
    });
    return found;
  },
};
