/** The operations with the real models on real photographs. */
import sharp from 'sharp';
import { type ItemResult, type ManifestData, operations } from '../src/pipeline/operations';
import { photo } from './photos';
import { type LoadedModels, loadModels } from './pipeline-models';
import { servingModels } from './setup';

export let models: LoadedModels;
export let manifestData: ManifestData;

/** Call it once per file. */
export function setUpOperations(): void {
  beforeAll(async () => {
    models = await loadModels();
    ({ manifestData } = await servingModels());
  });
  afterAll(() => Promise.all(Object.values(models).map((model) => model.close())));
}

export function returned<T>(result: ItemResult<T> | undefined): T {
  if (!result?.ok) throw new Error(`refused: ${JSON.stringify(result)}`);
  return result.value;
}
export const detect = async (image: Uint8Array) =>
  returned(await operations.detect(models, { image }, manifestData)).faces;
export const describe1 = async (image: Uint8Array) =>
  returned(await operations.describe(models, { image, faces: 'all' }, manifestData)).faces;

/** The faces of photograph 4, detected once. */
let office: ReturnType<typeof detect> | undefined;

/** A face of photograph 4, with some of its surroundings; by default the largest. */
export async function portrait(margin = 1, rank = 0): Promise<Buffer> {
  const { width, height } = await sharp(photo(4)).metadata();
  office ??= detect(photo(4));
  const face = (await office)[rank];
  const { left, top, width: w, height: h } = (face as typeof face & object).boundingBox;
  const side = h * height * (1 + margin);
  const x = Math.max(0, Math.round((left + w / 2) * width - side / 2));
  const y = Math.max(0, Math.round((top + h / 2) * height - side / 2));
  const size = Math.min(Math.round(side), width - x, height - y);
  return sharp(photo(4))
    .extract({ left: x, top: y, width: size, height: size })
    .jpeg({ quality: 95 })
    .toBuffer();
}
