/** Runs the pipeline of /compare on labeled images: the models, chips and precision that the tier serves with. */
import { closeModels, facesOf, loadModels } from '../calibration/faces-of';
import { type Embedding, embedders, embedFaces } from '../pipeline/faces/embed';
import type { ServingModels } from '../serving/serving-models';
import type { LabeledImage } from './labels';

export interface AcquiredImage extends LabeledImage {
  /** Largest first. Undefined if the service rejects the file. */
  readonly faces: readonly Embedding[] | undefined;
}

export async function acquire(
  images: readonly LabeledImage[],
  { models, knowledge }: ServingModels,
  onProgress: (done: number, total: number) => void,
): Promise<AcquiredImage[]> {
  const { near, thorough, mesh } = models;
  const parts = Object.fromEntries(knowledge.embedding.map(({ model }) => [model, models[model]]));
  const loaded = await loadModels({ ...(parts as ServingModels['models']), near, thorough, mesh });
  const acquired: AcquiredImage[] = [];
  try {
    for (const image of images) {
      const found = await facesOf(loaded, image.path);
      const faces = found && (await embedFaces(embedders(loaded, knowledge.embedding), found));
      acquired.push({ ...image, faces });
      onProgress(acquired.length, images.length);
    }
  } finally {
    await closeModels(loaded);
  }
  return acquired;
}
