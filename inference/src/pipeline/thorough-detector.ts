/** The SSD detector's answer: boxes (top, left, bottom, right) as proportions of its square input, and scores. */
import type { ModelOutputs } from '../backends/backend';
import type { Candidate } from './candidates';

const anchors = 5118;

/**
 * Candidates of one picture of a batch, in pixels of the model's input.
 * @param inputSize side of that input in pixels.
 * @param minScore probability below which anchors are passed over, 0 to 1.
 */
export function readThoroughFaces(
  outputs: ModelOutputs,
  index: number,
  { inputSize, minScore }: { inputSize: number; minScore: number },
): Candidate[] {
  const scores = (outputs.scores as Float32Array).subarray(index * anchors, (index + 1) * anchors);
  const boxes = (outputs.boxes as Float32Array).subarray(4 * index * anchors, 4 * (index + 1) * anchors);
  const found: Candidate[] = [];
  scores.forEach((score, i) => {
    if (!(score >= minScore)) return;
    const [top, left, bottom, right] = [0, 1, 2, 3].map((k) => (boxes[4 * i + k] as number) * inputSize) as [
      number,
      number,
      number,
      number,
    ];
    found.push({ score, left, top, width: right - left, height: bottom - top, angle: 0 });
  });
  return found;
}
