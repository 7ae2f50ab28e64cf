/** Runs the pipeline of /compare on labeled images: the models, chips and precision that the tier serves with. */
import { closeModels, facesOf, loadModels } from '../../calibration/faces-of';
import { type Embedding, embedFaces } from '../../pipeline/faces/embed';
import type { ServingModels } from '../../serving/serving-models';
import type { LabeledImage } from './labels';

export interface AcquiredImage extends LabeledImage {
  /** Largest first. Undefined if the service rejects the file. */
  readonly faces: readonly Embedding[] | undefined;
}

export async function acquire(
  images: readonly LabeledImage[],
  { models, manifestData: { alignments } }: ServingModels,
  onProgress: (done: number, total: number) => void,
): Promise<AcquiredImage[]> {
  const { near, thorough, mesh, embedding } = models;
  const loaded = await loadModels({ near, thorough, mesh, embedding });
  const acquired: AcquiredImage[] = [];
  try {
    for (const image of images) {
      const faces = await facesOf(loaded, image.path);
      const measured = faces && (await embedFaces({ model: loaded.embedding, alignments }, faces));
      acquired.push({ ...image, faces: measured?.map(({ embedding }) => embedding) });
      onProgress(acquired.length, images.length);
    }
  } finally {
    await closeModels(loaded);
  }
  return acquired;
}
