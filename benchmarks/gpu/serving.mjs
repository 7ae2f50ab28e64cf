/** The models and the pipeline of the built inference tier, in this process. */
import { Skip } from '../lib/skip.mjs';

// Set before the first session. Otherwise ONNX Runtime sends telemetry to its vendor.
process.env.ORT_DISABLE_TELEMETRY ??= '1';

/**
 * The models that serve by default, compiled if they are not yet.
 * @param {'float32' | 'float16'} precision
 * @returns {Promise<any>} see `ServingModels` of the tier
 */
export async function servingModels(precision) {
  const { defaultModelCache } = await import('../../inference/dist/catalogue/paths.js');
  const { findServingModels } = await import('../../inference/dist/serving/serving-models.js');
  const { ensureCompiled } = await import('../../inference/dist/compiler/compile.js');
  const { models } = await findServingModels(defaultModelCache);
  const manifests = await catalogue();
  for (const { id } of Object.values(models)) {
    const manifest = manifests.find((candidate) => candidate.id === id);
    await ensureCompiled(manifest, defaultModelCache, { wanted: precision });
  }
  return findServingModels(defaultModelCache, { precision });
}

/** @returns {Promise<any[]>} the manifests of the built-in models */
export const catalogue = async () =>
  (await import('../../inference/dist/catalogue/manifest.js')).readCatalogue();

/**
 * Loads the graph of the near path for a device.
 * @param {string} device
 * @param {'float32' | 'float16'} precision
 */
export async function openNearPath(device, precision) {
  const { defaultModelCache } = await import('../../inference/dist/catalogue/paths.js');
  const { ensureNearPath } = await import('../../inference/dist/compiler/ensure-near-path.js');
  const { NearPath } = await import('../../inference/dist/pipeline/near-path/near-path.js');
  const path = await ensureNearPath(await servingModels(precision), defaultModelCache);
  return new NearPath(await (await backend(device)).loadProgram(path));
}

/**
 * Loads models of the pipeline by their roles.
 * @param {string} device
 * @param {any} specs
 * @param {readonly string[]} roles
 * @returns {Promise<any>}
 */
export async function loadModels(device, specs, roles) {
  const loaded = [];
  for (const role of roles) loaded.push([role, await (await backend(device)).load(specs[role])]);
  return Object.fromEntries(loaded);
}

/** @param {any} device @returns {Promise<any>} */
export async function backend(device) {
  const { OnnxBackend } = await import('../../inference/dist/backends/onnx.js');
  return new OnnxBackend(device);
}

/** ONNX Runtime lists devices that do not exist; only a session shows. @param {string} device @throws Skip */
export async function needDevice(device) {
  const fault = await faultOf(device, 'float32');
  if (fault) throw new Skip(`ONNX Runtime can use no ${device} here: ${fault}`);
}

/**
 * The precisions to measure on a device: on a GPU also 16-bit floats, unless it lacks them.
 * @param {string} device
 * @param {(line: string) => void} log
 * @returns {Promise<('float32' | 'float16')[]>}
 */
export async function precisionsOn(device, log) {
  if (device === 'cpu') return ['float32'];
  const fault = await faultOf(device, 'float16');
  if (fault) log(`no 16-bit floats on ${device}: ${fault}`);
  return fault ? ['float32'] : ['float32', 'float16'];
}

/** @returns {Promise<string | undefined>} why a small model does not run */
async function faultOf(device, precision) {
  const { near } = (await servingModels(precision)).models;
  try {
    const model = await (await backend(device)).load(near);
    await model.run(new Uint8Array(3 * near.input.width * near.input.height), 1);
    await model.close();
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n')[0];
  }
}
