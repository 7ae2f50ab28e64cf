/** The models of the pipeline, loaded in the test's own thread. */
import type { LoadedModel } from '../src/backends/backend';
import { OnnxBackend } from '../src/backends/onnx';
import { compiledPath } from '../src/catalogue/compiled-path';
import { readCatalogue } from '../src/catalogue/manifest';
import { defaultModelCache } from '../src/catalogue/paths';
import type { Precision } from '../src/catalogue/precision';
import type { ModelRole } from '../src/pipeline/operations';
import { servingModels } from './setup';

export type LoadedModels = Readonly<Record<ModelRole, LoadedModel> & Record<string, LoadedModel>>;

export async function loadModel(id: string, precision: Precision = 'float32'): Promise<LoadedModel> {
  const manifest = (await readCatalogue()).find((candidate) => candidate.id === id);
  if (!manifest) throw new Error(`The catalogue has no model ${id}`);
  const cache = process.env.MODELS_CACHE ?? defaultModelCache;
  return new OnnxBackend().load({ ...manifest, path: compiledPath(manifest, cache, precision) });
}

/** Every model that serves, by the part it plays. */
export async function loadModels(): Promise<LoadedModels> {
  const backend = new OnnxBackend();
  const { models } = await servingModels();
  const loaded = Object.entries(models).map(
    async ([role, spec]) => [role, await backend.load(spec)] as const,
  );
  return Object.fromEntries(await Promise.all(loaded)) as unknown as LoadedModels;
}
