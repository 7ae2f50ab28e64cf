/**
 * Comparison of two described images: the largest face of the source against every face of the target. In a crowd, the
 * quick embedding selects the faces that are worth a full one.
 */
import type { QuickEmbedding } from '../catalogue/knowledge';
import type { Comparison } from '../wire';
import type { ComparableFace } from '../wire/faces';
import type { Embedding } from './faces/embed';
import { distanceBetween, dot, similarityOf } from './faces/similarity';
import type { Description, EmbeddedFace, Knowledge } from './operations';

/** A comparison, or which of the two images shows no face. */
export type ComparisonResult =
  | ({ readonly ok: true } & Comparison)
  | { readonly ok: false; readonly missing: 'source' | 'target' };

/** The knowledge of a comparison. */
type Compared = Pick<Knowledge, 'calibration' | 'quick'>;

/**
 * Faces of a crowd with a quick similarity below this keep it; the others are embedded in full. Of the 30,629 pairs of
 * LFW folds 1 to 3 with a similarity of at least 0.7 by the whole default embedding, all had at least 0.5 by its quick
 * part, and so had a tenth of all pairs of different people.
 */
const minCandidateSimilarity = 0.5;

/** The faces of a crowd that may be the person of the source. None in other images. */
export function candidatesIn(source: Description, target: Description, { quick }: Compared): EmbeddedFace[] {
  const [largest] = source.faces;
  if (!largest || !quick) return [];
  return target.faces.filter(
    (face) => face.points && quickSimilarity(largest, face, quick) >= minCandidateSimilarity,
  );
}

/** @param embedded full embeddings of candidates */
export function compare(
  source: Description,
  target: Description,
  { calibration, quick }: Compared,
  embedded: ReadonlyMap<EmbeddedFace, Embedding> = new Map(),
): ComparisonResult {
  const [largest] = source.faces;
  if (!largest) return { ok: false, missing: 'source' };
  if (target.faces.length === 0) return { ok: false, missing: 'target' };
  const similarityTo = (face: EmbeddedFace) => {
    const embedding = face.points ? embedded.get(face) : face.embedding;
    return embedding
      ? similarityOf(distanceBetween(largest.embedding, embedding), calibration)
      : quickSimilarity(largest, face, quick as QuickEmbedding);
  };
  const targets = target.faces
    .map((face) => ({ ...shown(face), similarity: similarityTo(face) }))
    .sort((a, b) => b.similarity - a.similarity);
  return { ok: true, source: shown(largest), targets };
}

/** @param source with a full embedding. @param target with a quick one */
function quickSimilarity(source: EmbeddedFace, target: EmbeddedFace, quick: QuickEmbedding): number {
  const { part, start, length, calibration } = quick;
  // Both vectors have the length of the square root of the part's weight.
  const distance = part.weight - dot(source.embedding.subarray(start, start + length), target.embedding);
  return similarityOf(distance / part.weight, calibration);
}

/** Embeddings identify people, so they never leave the tier. */
function shown({ embedding: _, points: __, ...face }: EmbeddedFace): ComparableFace {
  return face;
}
