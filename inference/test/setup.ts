/** The worker setup that the server would use, over the compiled models in the cache. */
import { compiledPath } from '../src/compiler/compiled-path';
import { type ModelManifest, readCatalogue } from '../src/compiler/manifest';
import { defaultModelCache } from '../src/paths';
import type { WorkerSetup } from '../src/pool/messages';

export async function workerSetup(): Promise<WorkerSetup> {
  const cache = process.env.MODELS_CACHE ?? defaultModelCache;
  const manifest = (await readCatalogue()).find(({ id }) => id === 'ssd-mobilenet') as ModelManifest;
  return { models: { detector: { ...manifest, path: compiledPath(manifest, cache) } } };
}
