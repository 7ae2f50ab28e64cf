/**
 * Face embeddings. Each model embeds a face along its alignment templates; the mean over these chips averages out the
 * errors of the alignments. Several models are fused: the embedding is the concatenation of their unit vectors, each scaled
 * by the square root of its weight, so its cosine distance is the weighted mean of theirs.
 */
import type { Model } from '../../backends/backend';
import type { AlignmentTemplate, EmbeddingPart } from '../../catalogue/knowledge';
import { batchOf, type DecodedImage, mirror } from '../image/decoded-image';
import { type Affine, fitSimilarity } from '../image/geometry';
import type { Face } from './find-faces';
import type { Mesh } from './mesh';

/** A part of an embedding and its loaded model. */
export type Embedder = Omit<EmbeddingPart, 'model'> & { readonly model: Model };

/** A unit vector; those of one person have about the same direction. */
export type Embedding = Float32Array;

export interface FaceInImage {
  readonly image: DecodedImage;
  readonly face: Face;
}

/** All of a face that its alignment needs. */
export interface AlignableFace {
  readonly image: DecodedImage;
  readonly face: { readonly mesh: Pick<Mesh, 'points'> };
}

export const embedders = (
  models: Readonly<Record<string, Model>>,
  parts: readonly EmbeddingPart[],
): Embedder[] => parts.map((part) => ({ ...part, model: models[part.model] as Model }));

/** The same models with the chips of their first template only, which takes a fraction of the time. */
export const firstTemplates = (parts: readonly Embedder[]): Embedder[] =>
  parts.map((part) => ({
    ...part,
    chips: part.chips.filter(({ template }) => template === part.chips[0]?.template),
  }));

/** Embeds faces, all of their chips in one run of each model. */
export async function embedFaces(
  parts: readonly Embedder[],
  faces: readonly AlignableFace[],
): Promise<Embedding[]> {
  if (faces.length === 0) return [];
  const byPart = await Promise.all(parts.map((part) => embedWith(part, faces)));
  return faces.map((_, i) => joined(byPart.map((vectors) => vectors[i] as Float32Array)));
}

/** The vectors one after the other. */
function joined(vectors: readonly Float32Array[]): Embedding {
  const all = new Float32Array(vectors.reduce((length, vector) => length + vector.length, 0));
  let at = 0;
  for (const vector of vectors) {
    all.set(vector, at);
    at += vector.length;
  }
  return all;
}

/** For each face a vector whose length is the square root of the part's weight. */
async function embedWith(
  { model, weight, chips }: Embedder,
  faces: readonly AlignableFace[],
): Promise<Float32Array[]> {
  const size = model.spec.input.width;
  const wanted = faces.flatMap((one) => chips.map((chip) => ({ ...one, ...chip })));
  const pixels = batchOf(wanted, size, ({ image, face, template, mirrored }, into) => {
    image.sample(alignmentMap(face.mesh.points, template), size, into);
    if (mirrored) mirror(into, size);
  });
  const values = (await model.run(pixels, wanted.length)).embedding as Float32Array;
  return meansOf(values, {
    count: faces.length,
    length: values.length / wanted.length,
    norm: Math.sqrt(weight),
  });
}

/** The means of `count` groups of vectors of `length` values, each scaled to a Euclidean norm of `norm`. */
function meansOf(
  values: Float32Array,
  { count, length, norm }: { count: number; length: number; norm: number },
): Float32Array[] {
  const perGroup = values.length / length / count;
  return Array.from({ length: count }, (_, group) => {
    const sum = new Float32Array(length);
    for (let row = group * perGroup; row < (group + 1) * perGroup; row++) {
      for (let i = 0; i < length; i++) sum[i] = (sum[i] as number) + (values[row * length + i] as number);
    }
    const scale = norm / Math.hypot(...sum);
    return sum.map((value) => value * scale);
  });
}

/** The map from an aligned chip to the image. */
function alignmentMap(points: Float32Array, { landmarks, positions }: AlignmentTemplate): Affine {
  const chip = Float32Array.from(positions.flat());
  const image = new Float32Array(2 * landmarks.length);
  landmarks.forEach((index, i) => {
    image[2 * i] = points[2 * index] as number;
    image[2 * i + 1] = points[2 * index + 1] as number;
  });
  return fitSimilarity(chip, image, [...landmarks.keys()]);
}
