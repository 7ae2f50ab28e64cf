/** The models and the pipeline of the built inference tier, in this process. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { INFERENCE_MAIN } from '../lib/paths.mjs';
import { Skip } from '../lib/skip.mjs';

const require = createRequire(import.meta.url);

// Without this, set before the first session, ONNX Runtime sends telemetry to its vendor.
process.env.ORT_DISABLE_TELEMETRY ??= '1';

/** A module of the tier by its path without ending, such as `pipeline/faces/embed`. @param {string} path @returns {any} */
export const fromTier = (path) => require(join(INFERENCE_MAIN, '..', `${path}.js`));

/**
 * The models that serve by default, compiled if they are not yet.
 * @param {'float32' | 'float16'} precision
 * @returns {Promise<any>} see `ServingModels` of the tier
 */
export async function servingModels(precision) {
  const { defaultModelCache } = fromTier('catalogue/paths');
  const { findServingModels } = fromTier('serving/serving-models');
  const { ensureCompiled } = fromTier('compiler/compile');
  const { models } = await findServingModels(defaultModelCache);
  const manifests = await catalogue();
  for (const { id } of Object.values(models)) {
    const manifest = manifests.find((one) => one.id === id);
    await ensureCompiled(manifest, defaultModelCache, { wanted: precision });
  }
  return findServingModels(defaultModelCache, { precision });
}

/** @returns {Promise<any[]>} the manifests of the built-in models */
export const catalogue = () => fromTier('catalogue/manifest').readCatalogue();

/**
 * Loads the graph of the near path for a device.
 * @param {string} device
 * @param {'float32' | 'float16'} precision
 */
export async function openNearPath(device, precision) {
  const { defaultModelCache } = fromTier('catalogue/paths');
  const { ensureNearPath } = fromTier('compiler/near-path-file');
  const { NearPath } = fromTier('near-path/near-path');
  const path = await ensureNearPath(await servingModels(precision), await catalogue(), defaultModelCache);
  return new NearPath(await backend(device).loadProgram(path));
}

/** Loads models of the pipeline by their roles. @param {string} device @param {any} specs @param {readonly string[]} roles */
export async function loadModels(device, specs, roles) {
  const loaded = [];
  for (const role of roles) loaded.push([role, await backend(device).load(specs[role])]);
  return Object.fromEntries(loaded);
}

/** @param {string} device @returns {any} */
export function backend(device) {
  const { OnnxBackend } = fromTier('backends/onnx');
  return new OnnxBackend(device);
}

/** ONNX Runtime lists devices that do not exist; only a session shows. @param {string} device @throws Skip */
export async function needDevice(device) {
  const { models } = await servingModels('float32');
  try {
    await (await backend(device).load(models.near)).close();
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Skip(`ONNX Runtime can use no ${device} here: ${line}`);
  }
}
