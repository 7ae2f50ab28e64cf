/** Comparison of two described pictures: the largest face of the source against every face of the target. */
import type { Calibration } from '../catalogue/knowledge';
import type { Embedding } from './faces/embed';
import { distanceBetween, similarityOf } from './faces/similarity';
import type { DescribedFace, Description } from './operations';

export interface ComparedFace extends DescribedFace {
  /** How alike the face and the source's are, 0 to 1, calibrated. */
  readonly similarity: number;
}

export type Comparison =
  | {
      readonly ok: true;
      readonly source: DescribedFace;
      /** Most similar first. */
      readonly targets: readonly ComparedFace[];
    }
  /** Which of the two pictures shows no face. */
  | { readonly ok: false; readonly missing: 'source' | 'target' };

export function compare(source: Description, target: Description, calibration: Calibration): Comparison {
  const [largest] = source.faces;
  if (!largest) return { ok: false, missing: 'source' };
  if (target.faces.length === 0) return { ok: false, missing: 'target' };
  const targets = target.faces
    .map((face) => ({
      ...withoutEmbedding(face),
      similarity: similarityOf(distanceBetween(largest.embedding, face.embedding), calibration),
    }))
    .sort((a, b) => b.similarity - a.similarity);
  return { ok: true, source: withoutEmbedding(largest), targets };
}

/** Embeddings identify people: they never leave the tier. */
function withoutEmbedding({
  embedding: _,
  ...face
}: DescribedFace & { embedding: Embedding }): DescribedFace {
  return face;
}
