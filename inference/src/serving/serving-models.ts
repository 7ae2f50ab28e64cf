/** Finds the model for each role, and reads the pipeline's data from the manifests. */
import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import type { BackendName, ModelSpec } from '../backends/backend';
import { compiledPath } from '../catalogue/compiled-path';
import type { Probe } from '../catalogue/knowledge';
import { fieldOf, isOnnx, type ModelManifest, readModels } from '../catalogue/manifest';
import { type Precision, precisionFor } from '../catalogue/precision';
import { type AccessoryProbes, accessoryTypes } from '../pipeline/attributes/accessories';
import type { Background } from '../pipeline/moderation/prototype';
import { type Knowledge, type ModelRole, modelRoles } from '../pipeline/operations';
import { type ChosenModels, checkFit, checkRoles } from './model-roles';

const defaultModels: Readonly<Record<ModelRole, string>> = {
  near: 'blazeface',
  thorough: 'ssd-mobilenet',
  mesh: 'facemesh',
  embedding: 'face-recognition',
  moderation: 'nsfw-mobilenet-mid',
  objects: 'centernet',
  expression: 'face-expression',
  ageGender: 'age-gender',
  description: 'faceres',
  antispoof: 'antispoof',
  passiveLiveness: 'liveness',
};

/** The models and knowledge of a worker. */
export interface ServingModels {
  readonly precision: Precision;
  readonly models: Readonly<Record<ModelRole, ModelSpec>>;
  readonly knowledge: Knowledge;
}

export interface ServingOptions {
  /** Folder of the operator's own manifests. */
  readonly folder?: string | undefined;
  /** Models that replace the default ones. */
  readonly chosen?: ChosenModels;
  /** TFJS runs originals, so it needs no compiled files and cannot run ONNX files. Default `onnx`. */
  readonly backend?: BackendName;
  /** The precision of models that have several. Default `float32`. */
  readonly precision?: Precision;
}

/**
 * @param cache folder of compiled models.
 * @throws Error, one sentence with the remedy, if a model is unknown, does not fit its role or is not compiled.
 */
export async function findServingModels(
  cache: string,
  { folder, chosen = {}, backend = 'onnx', precision = 'float32' }: ServingOptions = {},
): Promise<ServingModels> {
  checkRoles(chosen);
  const catalogue = await readModels(folder);
  const manifestOf = (role: ModelRole): ModelManifest => {
    const id = chosen[role] ?? defaultModels[role];
    const manifest = catalogue.find((candidate) => candidate.id === id);
    if (!manifest) {
      throw new Error(
        `INFERENCE_MODELS: there is no model "${id}" for ${role}; the models are ${catalogue.map((one) => one.id).join(', ')}${folder === undefined ? '; MODELS_FOLDER, the folder of your own models, is not set' : ''}`,
      );
    }
    checkFit(role, manifest);
    return manifest;
  };
  const specs = modelRoles.map(
    async (role) => [role, await specOf(manifestOf(role), cache, { backend, precision })] as const,
  );
  return {
    precision,
    models: Object.fromEntries(await Promise.all(specs)) as ServingModels['models'],
    knowledge: knowledgeOf(manifestOf),
  };
}

function knowledgeOf(manifestOf: (role: ModelRole) => ModelManifest): Knowledge {
  const embedding = manifestOf('embedding');
  const { alignments, calibration } = embedding;
  if (!alignments || !calibration) throw new Error(`${fieldOf(embedding, 'calibration')} is missing`);
  const probe = (role: ModelRole, name: string): Probe => {
    const manifest = manifestOf(role);
    const found = manifest.probes?.[name];
    if (!found) throw new Error(`${fieldOf(manifest, `probes.${name}`)} is missing`);
    return found;
  };
  return {
    alignments,
    calibration,
    background: backgroundOf(manifestOf('moderation')),
    occlusionProbe: probe('mesh', 'occluded'),
    accessoryProbes: Object.fromEntries(
      accessoryTypes.map((type) => [type, probe('description', type)]),
    ) as AccessoryProbes,
  };
}

function backgroundOf(manifest: ModelManifest): Background {
  const { source, input, outputs, background } = manifest;
  if (!background) throw new Error(`${fieldOf(manifest, 'background')} is missing`);
  const { mean, deviation, spread } = background;
  // A hash of everything that a prototype depends on, so that no prototype from before a change is used after it.
  const recipe = JSON.stringify({ source, input, outputs, mean, deviation, spread });
  const version = createHash('sha256').update(recipe).digest().readUInt32LE();
  return { version, mean: floats(mean), deviation: floats(deviation), spread };
}

function floats(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
}

async function specOf(
  manifest: ModelManifest,
  cache: string,
  { backend, precision }: { backend: BackendName; precision: Precision },
): Promise<ModelSpec> {
  const { id, input, outputs, decoding, folder } = manifest;
  const path = compiledPath(manifest, cache, precisionFor(manifest, precision));
  if (backend === 'onnx') {
    await access(path).catch(() => {
      throw new Error(`The model ${id} is not compiled; run "npm run models -- compile"`);
    });
  } else if (isOnnx(manifest)) {
    throw new Error(
      `The model ${id} is an ONNX file, which INFERENCE_BACKEND=tfjs does not run; choose another in INFERENCE_MODELS or set INFERENCE_BACKEND=onnx`,
    );
  }
  return { id, path, input, outputs, folder, ...(decoding ? { decoding } : {}) };
}
