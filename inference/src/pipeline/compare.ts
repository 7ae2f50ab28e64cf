/** Comparison of two described images: the largest face of the source against every face of the target. */
import type { Comparison } from '../wire';
import type { ComparableFace } from '../wire/faces';
import { distanceBetween, similarityOf } from './faces/similarity';
import type { Description, EmbeddedFace, ManifestData } from './operations';

/** A comparison, or which of the two images shows no face. */
export type ComparisonResult =
  | ({ readonly ok: true } & Comparison)
  | { readonly ok: false; readonly missing: 'source' | 'target' };

export function compare(
  source: Description,
  target: Description,
  { calibration }: Pick<ManifestData, 'calibration'>,
): ComparisonResult {
  const [largest] = source.faces;
  if (!largest) return { ok: false, missing: 'source' };
  if (target.faces.length === 0) return { ok: false, missing: 'target' };
  const targets = target.faces
    .map((face) => {
      const distance = distanceBetween(largest.embedding, face.embedding);
      return { ...shown(face), similarity: similarityOf(distance, calibration) };
    })
    .sort((a, b) => b.similarity - a.similarity);
  return { ok: true, source: shown(largest), targets };
}

/** Embeddings identify people, so they never leave the tier. */
function shown({ embedding: _, ...face }: EmbeddedFace): ComparableFace {
  return face;
}
