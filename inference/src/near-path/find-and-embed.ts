/** Faces and their embeddings: by the near path where there is one and it takes the image, else by the general path. */
import { type Embedder, type Embedding, embedFaces } from '../pipeline/faces/embed';
import { type FaceModels, findFaces } from '../pipeline/faces/find-faces';
import type { DecodedImage } from '../pipeline/image/decoded-image';
import type { NearFace, NearPath } from './near-path';

export interface FindAndEmbedOptions {
  readonly models: FaceModels;
  readonly embedders: readonly Embedder[];
  /** Only for GPUs: on a CPU, one graph is slower than the general path. */
  readonly nearPath?: NearPath | undefined;
}

/** @returns the faces of each image, largest first. */
export async function findAndEmbed(
  images: readonly DecodedImage[],
  { models, embedders, nearPath }: FindAndEmbedOptions,
): Promise<NearFace[][]> {
  const near = (await nearPath?.run(images)) ?? [];
  const others = images.filter((_, i) => near[i] === undefined);
  const found = others.length > 0 ? await findFaces(models, others) : [];
  const faces = found.flatMap((own, i) => own.map((face) => ({ image: others[i] as DecodedImage, face })));
  const embeddings = await embedFaces(embedders, faces);
  const embedded = faces.map(({ face }, i) => ({ face, embedding: embeddings[i] as Embedding }));
  const general = found.map(({ length }) => embedded.splice(0, length));
  return images.map((_, i) => {
    const face = near[i];
    return face ? [face] : (general.shift() as NearFace[]);
  });
}
