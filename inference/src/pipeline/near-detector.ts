/**
 * BlazeFace's answer decoded. Its input is the picture fitted into 256 x 256; a 16 x 16 grid carries two anchors a
 * cell and an 8 x 8 grid six, each with a logit, a box and six points as offsets from the cell's centre in pixels.
 * Bazarevsky et al., "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs", 2019.
 */
import type { ModelOutputs } from '../backends/backend';
import type { Candidate } from './candidates';

const grids = [
  { cells: 16, perCell: 2, logits: 'logits512', offsets: 'offsets512' },
  { cells: 8, perCell: 6, logits: 'logits384', offsets: 'offsets384' },
] as const;
/** Side of the model's square input in pixels. */
export const nearInputSize = 256;
/** Box (x, y, width, height), then six points. */
const valuesPerAnchor = 16;

/**
 * Candidates of one picture of a batch, in pixels of the model's input.
 * @param minScore probability below which anchors are passed over, 0 to 1.
 */
export function readNearFaces(outputs: ModelOutputs, index: number, minScore: number): Candidate[] {
  const minLogit = Math.log(minScore / (1 - minScore));
  return grids.flatMap(({ cells, perCell, logits, offsets }) => {
    const anchors = cells * cells * perCell;
    const scores = (outputs[logits] as Float32Array).subarray(index * anchors, (index + 1) * anchors);
    const values = outputs[offsets] as Float32Array;
    const stride = nearInputSize / cells;
    const found: Candidate[] = [];
    scores.forEach((logit, anchor) => {
      if (!(logit >= minLogit)) return;
      const cell = Math.floor(anchor / perCell);
      const anchorX = ((cell % cells) + 0.5) * stride;
      const anchorY = (Math.floor(cell / cells) + 0.5) * stride;
      const at = (index * anchors + anchor) * valuesPerAnchor;
      const value = (i: number) => values[at + i] as number;
      const width = value(2);
      const height = value(3);
      found.push({
        score: 1 / (1 + Math.exp(-logit)),
        left: anchorX + value(0) - width / 2,
        top: anchorY + value(1) - height / 2,
        width,
        height,
        // The first two points are the eyes, as the viewer sees them from the left.
        angle: Math.atan2(value(7) - value(5), value(6) - value(4)),
      });
    });
    return found;
  });
}
