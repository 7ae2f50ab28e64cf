/** The faces of image files, found in this process by the models of the service. */
import { readFile } from 'node:fs/promises';
import type { LoadedModel, ModelSpec } from '../backends/backend';
import { OnnxBackend } from '../backends/onnx';
import type { FaceInImage } from '../pipeline/faces/embed';
import type { FaceModels } from '../pipeline/faces/face';
import { findFaces } from '../pipeline/faces/find-faces';
import { ImageError } from '../pipeline/image/image-error';
import { openImage } from '../pipeline/image/open';
import { maxSide } from '../pipeline/operations';

/** The models that find and embed faces. */
export type ModelsOf<T> = Readonly<Record<keyof FaceModels | 'embedding', T>>;

/** Loads models on the CPU. */
export async function loadModels(specs: ModelsOf<ModelSpec>): Promise<ModelsOf<LoadedModel>> {
  const backend = new OnnxBackend();
  const models: [string, LoadedModel][] = [];
  for (const [name, spec] of Object.entries(specs)) models.push([name, await backend.load(spec)]);
  return Object.fromEntries(models) as unknown as ModelsOf<LoadedModel>;
}

export async function closeModels(models: ModelsOf<LoadedModel>): Promise<void> {
  await Promise.all(Object.values(models).map((model) => model.close()));
}

/**
 * @returns the faces of an image file that a comparison takes, largest first, also those that are not confirmed;
 *   undefined if the service would reject the file.
 */
export async function facesOf(models: FaceModels, path: string): Promise<FaceInImage[] | undefined> {
  const image = await openImage(await readFile(path), maxSide).catch((error: Error) => {
    if (error instanceof ImageError) return undefined;
    throw error;
  });
  if (!image) return undefined;
  const [faces = []] = await findFaces(models, [image], { withUnconfirmed: true });
  return faces.map((face) => ({ image, face }));
}
