/** `models compile`: fetches and compiles what is missing, and removes what is stale. */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compiledPath } from '../catalogue/compiled-path';
import {
  isDownloaded,
  lackOf,
  type ModelManifest,
  type OnnxManifest,
  readModels,
} from '../catalogue/manifest';
import { defaultModelCache } from '../catalogue/paths';
import { precisionsOf } from '../catalogue/precision';
import { ensureCompiled } from '../compiler/compile';
import { ensureNearPath } from '../compiler/ensure-near-path';
import { isWholeOnnx } from '../onnx-format/whole-file';
import { readOnnxSource } from '../originals/onnx-source';
import { MissingFileError } from '../originals/published-file';
import { parseChosenModels } from '../serving/model-roles';
import { findServingModels } from '../serving/serving-models';
import { progressOf } from './progress';

export interface Folders {
  /** Folder of compiled models. */
  readonly cache: string;
  /** Folder of the operator's own models. */
  readonly ownFolder: string | undefined;
  /** The place of MODELS_MIRROR that holds published files. */
  readonly mirror?: string | undefined;
}

/** A server with this setting needs the models in 16-bit floats. */
const wanted = process.env.INFERENCE_PRECISION === 'float16' ? 'float16' : undefined;

/** A server with this setting also needs the graph of the near path. */
const onGpu = ['cuda', 'webgpu'].includes(process.env.INFERENCE_DEVICE ?? '');

/**
 * @param options.withFallbacks whether to compile the fallback of a model whose published file cannot be fetched.
 * @returns whether each of them, or its fallback, is compiled; false if a published file cannot be fetched.
 */
export async function compileModels(
  manifests: readonly ModelManifest[],
  folders: Folders,
  { withFallbacks = false } = {},
): Promise<boolean> {
  const { cache, ownFolder } = folders;
  const catalogue = await readModels(ownFolder);
  for (const manifest of manifests) await removeDamaged(manifest, cache);
  // Downloads go on while other models are compiled.
  const downloaded = manifests.filter(isDownloaded);
  for (const manifest of downloaded) startDownload(manifest, folders);
  const others = manifests.filter((manifest) => !isDownloaded(manifest));
  let complete = true;
  for (const manifest of [...others, ...downloaded]) {
    if (await compileAndReport(manifest, folders)) continue;
    const fallback = withFallbacks && fallbackOf(manifest, catalogue);
    if (fallback) await compileAndReport(fallback, folders);
    else complete = false;
  }
  const nearPath = onGpu ? await compileNearPath(folders) : undefined;
  // A cache given by MODELS_CACHE may be shared and stays untouched.
  if (cache === defaultModelCache) await removeStale(catalogue, cache, nearPath);
  return complete;
}

const fallbackOf = (manifest: ModelManifest, catalogue: readonly ModelManifest[]) =>
  catalogue.find(({ id }) => isDownloaded(manifest) && id === manifest.source.fallback);

/** @returns false if the published file of the model cannot be fetched. */
async function compileAndReport(manifest: ModelManifest, { cache, mirror }: Folders): Promise<boolean> {
  const { id } = manifest;
  const start = performance.now();
  try {
    const worked = await ensureCompiled(manifest, cache, { wanted, mirror, onProgress: progressOf(id) });
    const seconds = ((performance.now() - start) / 1e3).toFixed(1);
    console.log(worked ? `${id} compiled in ${seconds} s` : `${id} is up to date`);
    return true;
  } catch (error) {
    if (!(error instanceof MissingFileError) || !isDownloaded(manifest)) throw error;
    console.error(`${id} is missing, because ${error.message}; ${lackOf(manifest)}`);
    return false;
  }
}

/** Removes files that a full disk or a crash cut off, so that they are compiled again. */
async function removeDamaged(manifest: ModelManifest, cache: string): Promise<void> {
  for (const precision of precisionsOf(manifest, wanted)) {
    const path = compiledPath(manifest, cache, precision);
    if (!existsSync(path) || (await isWholeOnnx(path))) continue;
    await rm(path);
    console.log(`${manifest.id} is damaged and is compiled again`);
  }
}

/** Starts to download the file of a model that is not compiled yet. Its compilation waits for the same download. */
function startDownload(manifest: OnnxManifest, { cache, mirror }: Folders): void {
  const missing = precisionsOf(manifest, wanted).some(
    (precision) => !existsSync(compiledPath(manifest, cache, precision)),
  );
  // The compilation reports a failure.
  if (missing) readOnnxSource(manifest, cache, { mirror }).catch(() => {});
}

/**
 * Compiles the graph of the near path for the models that serve with the settings of this process.
 * @returns its path, if the models support it.
 */
async function compileNearPath({ cache, ownFolder: folder }: Folders): Promise<string | undefined> {
  const chosen = parseChosenModels(process.env.INFERENCE_MODELS ?? '');
  const served = await findServingModels(cache, {
    folder,
    chosen,
    ...(wanted && { precision: wanted }),
  }).catch((error: Error) => error);
  if (served instanceof Error) {
    // There is nothing to join while some of the models are not compiled.
    console.log(`near-path not compiled: ${served.message}`);
    return undefined;
  }
  const path = await ensureNearPath(served, cache);
  console.log(path ? 'near-path is up to date' : 'near-path does not support the chosen models');
  return path;
}

/** Removes stale files of known models. Others stay, because they may be an operator's whose folder is not set now. */
async function removeStale(
  manifests: readonly ModelManifest[],
  cache: string,
  nearPath: string | undefined,
): Promise<void> {
  const current = new Set(
    manifests.flatMap((manifest) =>
      precisionsOf(manifest, 'float16').map((precision) => compiledPath(manifest, cache, precision)),
    ),
  );
  const stale = (await readdir(cache)).filter((name) => {
    if (/^near-path-[0-9a-f]{12}\.onnx$/.test(name)) return nearPath && join(cache, name) !== nearPath;
    const [, id] = name.match(/^(.+)-[^-]+-[0-9a-f]{12}(?:-(?:int8|float16))?\.onnx$/) ?? [];
    return manifests.some((manifest) => manifest.id === id) && !current.has(join(cache, name));
  });
  await Promise.all(stale.map((name) => rm(join(cache, name), { force: true })));
}
