/**
 * Face embeddings. The model embeds a face along each of its alignment templates; the mean over these chips averages out
 * the errors of the alignments.
 */
import type { Model } from '../../backends/backend';
import type { AlignmentTemplate } from '../../catalogue/manifest-parts';
import { batchOf, type DecodedImage, mirror } from '../image/decoded-image';
import { type Affine, fitSimilarity } from '../image/geometry';
import type { Face } from './face';

/** The model and its alignment templates, one for each chip. */
export interface Embedder {
  readonly model: Model;
  readonly alignments: readonly AlignmentTemplate[];
}

/** A unit vector; those of one person have about the same direction. */
export type Embedding = Float32Array;

export interface MeasuredEmbedding {
  readonly embedding: Embedding;
  /**
   * Mean length of the model's vectors. It grows with the features that the model recognizes, so it is low for a face that
   * shows few of them.
   */
  readonly norm: number;
}

export interface FaceInImage {
  readonly image: DecodedImage;
  readonly face: Face;
}

/** Embeds faces, all of their chips in one run of the model. */
export async function embedFaces(
  { model, alignments }: Embedder,
  faces: readonly FaceInImage[],
): Promise<MeasuredEmbedding[]> {
  if (faces.length === 0) return [];
  const size = model.spec.input.width;
  const chips = faces.flatMap((faceInImage) => alignments.map((template) => ({ ...faceInImage, template })));
  const pixels = batchOf(chips, size, ({ image, face, template }, into) => {
    image.sample(alignmentMap(face.mesh.points, template), size, into);
    if (template.mirrored) mirror(into, size);
  });
  const values = (await model.run(pixels, chips.length)).embedding as Float32Array;
  return meansOf(values, faces.length, values.length / chips.length);
}

/** The means of `count` groups of vectors of `length` values, as unit vectors, and the mean lengths of the vectors. */
function meansOf(values: Float32Array, count: number, length: number): MeasuredEmbedding[] {
  const perGroup = values.length / length / count;
  return Array.from({ length: count }, (_, group) => {
    const sum = new Float32Array(length);
    let norms = 0;
    for (let row = group * perGroup; row < (group + 1) * perGroup; row++) {
      const vector = values.subarray(row * length, (row + 1) * length);
      for (let i = 0; i < length; i++) sum[i] = (sum[i] as number) + (vector[i] as number);
      norms += Math.hypot(...vector);
    }
    const norm = Math.hypot(...sum);
    return { embedding: sum.map((value) => value / norm), norm: norms / perGroup };
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
