/** Face detection: one picture in, boxes of its faces out. */
import type { Model, ModelOutputs } from '../backends/backend';
import { area, type Box, clip, type ScoredBox, suppress } from './boxes';
import { decodeSquare, type SquarePixels } from './decode';

export interface DetectedFace {
  /** Probability that this is a face, 0 to 1. */
  readonly confidence: number;
  readonly boundingBox: Box;
}

export interface Detection {
  /** Largest first, at most `maxFaces`. */
  readonly faces: readonly DetectedFace[];
  readonly timings: { readonly decodeMs: number; readonly modelMs: number };
}

/** Limit of the public API. */
export const maxFaces = 100;

const minScore = 0.5;
/** Faces in a crowd overlap a little; boxes of one face overlap more than this. */
const maxOverlap = 0.4;

/**
 * @param detector a model that answers `boxes` [n, 4] (top, left, bottom, right in proportions of its square
 *   input) and `scores` [n].
 * @throws ImageError when the bytes are no picture that can be read.
 */
export async function detectFaces(detector: Model, bytes: Uint8Array): Promise<Detection> {
  const start = performance.now();
  const picture = await decodeSquare(bytes, detector.spec.input.width);
  const decoded = performance.now();
  const outputs = await detector.run(picture.data, 1);
  const modelMs = performance.now() - decoded;
  return { faces: readFaces(outputs, picture), timings: { decodeMs: decoded - start, modelMs } };
}

function readFaces(outputs: ModelOutputs, { filled }: SquarePixels): DetectedFace[] {
  const boxes = outputs.boxes as Float32Array;
  const scores = outputs.scores as Float32Array;
  const candidates: ScoredBox[] = [];
  scores.forEach((score, i) => {
    if (score < minScore) return;
    const [top, left, bottom, right] = boxes.subarray(4 * i, 4 * i + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    candidates.push({
      score,
      left: left / filled.width,
      top: top / filled.height,
      width: (right - left) / filled.width,
      height: (bottom - top) / filled.height,
    });
  });
  return suppress(candidates, maxOverlap)
    .map((box) => ({ confidence: box.score, boundingBox: clip(box) }))
    .filter((face) => area(face.boundingBox) > 0)
    .sort((a, b) => area(b.boundingBox) - area(a.boundingBox))
    .slice(0, maxFaces);
}
