/**
 * Face embeddings. The embedding of a face is the mean over chips along each of the model's alignment templates, plain and
 * mirrored: the errors of the alignments average out.
 */
import type { Model } from '../../backends/backend';
import type { AlignmentTemplate } from '../../catalogue/knowledge';
import { type DecodedImage, mirror } from '../image/decoded-image';
import { type Affine, fitSimilarity } from '../image/geometry';
import type { Face } from './find-faces';

export interface EmbeddingModels {
  readonly embedding: Model;
  readonly alignments: readonly AlignmentTemplate[];
}

/** A unit vector; those of one person have about the same direction. */
export type Embedding = Float32Array;

export interface FaceInImage {
  readonly image: DecodedImage;
  readonly face: Face;
}

/** Embeds faces, all of their chips in one run of the model. */
export async function embedFaces(
  { embedding, alignments }: EmbeddingModels,
  faces: readonly FaceInImage[],
): Promise<Embedding[]> {
  if (faces.length === 0) return [];
  const size = embedding.spec.input.width;
  const chips = faces.flatMap(({ image, face }) =>
    alignments.flatMap((template) => {
      const chip = new Uint8Array(3 * size * size);
      image.sample(alignmentMap(face.mesh.points, template), size, chip);
      return [chip, mirror(chip, size)];
    }),
  );
  const values = (await embedding.run(Buffer.concat(chips), chips.length)).embedding as Float32Array;
  return meansOf(values, faces.length, values.length / chips.length);
}

/** The means of `count` groups of embeddings of equal size, scaled to length one. */
function meansOf(values: Float32Array, count: number, length: number): Embedding[] {
  const perGroup = values.length / length / count;
  return Array.from({ length: count }, (_, group) => {
    const sum = new Float32Array(length);
    for (let row = group * perGroup; row < (group + 1) * perGroup; row++) {
      for (let i = 0; i < length; i++) sum[i] = (sum[i] as number) + (values[row * length + i] as number);
    }
    const norm = Math.hypot(...sum);
    return sum.map((value) => value / norm);
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
