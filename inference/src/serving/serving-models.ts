/** Finds the model for each role, and reads the pipeline's data from the manifests. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { BackendName, ModelSpec } from '../backends/backend';
import { compiledPath } from '../catalogue/compiled-path';
import {
  catalogueFolder,
  fieldOf,
  isDownloaded,
  isOnnx,
  lackOf,
  type ModelManifest,
  readModels,
} from '../catalogue/manifest';
import type { Probe } from '../catalogue/manifest-parts';
import { type Precision, precisionFor } from '../catalogue/precision';
import { isWholeOnnx } from '../onnx-format/whole-file';
import { type AccessoryProbes, accessoryTypes } from '../pipeline/attributes/accessories';
import type { Background } from '../pipeline/moderation/prototype';
import { nearPathSpec } from '../pipeline/near-path/stage';
import { type ManifestData, type ModelRole, modelRoles } from '../pipeline/operations';
import defaults from './default-models.json';
import { type ChosenModels, checkFit, checkRoles } from './model-roles';
import { nearPathOf } from './near-path-file';

/** The model cards of the documentation read the same file. */
export const defaultModels: Readonly<Record<ModelRole, string>> = defaults;

/** The models of a worker, and what it reads from their manifests. */
export interface ServingModels {
  readonly precision: Precision;
  readonly models: Readonly<Record<ModelRole, ModelSpec>> & { readonly nearPath?: ModelSpec };
  readonly manifestData: ManifestData;
  /** License and training data of the model that compares faces, and of the operator's own. */
  readonly origins: readonly Pick<ModelManifest, 'id' | 'license' | 'trainingData'>[];
  /** Default models whose files are missing, each with a sentence about the model that takes its place. */
  readonly missing: readonly string[];
}

export interface ServingOptions {
  /** Folder of the operator's own manifests. */
  readonly folder?: string | undefined;
  /** Models that replace the default ones. */
  readonly chosen?: ChosenModels;
  /** TFJS runs the originals of packages, which need no compiled files. Default `onnx`. */
  readonly backend?: BackendName;
  /** The precision of models that have several. Default `float32`. */
  readonly precision?: Precision;
  /** Whether the device runs the near path, if it is compiled. Default: no. */
  readonly nearPath?: boolean;
}

/**
 * @param cache folder of compiled models.
 * @throws Error, one sentence with the remedy, if a model is unknown, does not fit its role or is not compiled.
 */
export async function findServingModels(
  cache: string,
  { folder, chosen = {}, backend = 'onnx', precision = 'float32', nearPath = false }: ServingOptions = {},
): Promise<ServingModels> {
  const catalogue = await readModels(folder);
  const isMissing = (manifest: ModelManifest) =>
    !existsSync(compiledPath(manifest, cache, precisionFor(manifest, precision)));
  const { manifests, missing } = findManifests(catalogue, { folder, chosen, isMissing });
  const manifestData = manifestDataOf(manifests);
  const specs = Object.entries(manifests).map(
    async ([role, manifest]) => [role, await specOf(manifest, cache, { backend, precision })] as const,
  );
  const models = Object.fromEntries(await Promise.all(specs)) as ServingModels['models'];
  const file = nearPath ? nearPathOf(models, manifestData.alignments, cache) : undefined;
  const staged = file !== undefined && (await isWholeOnnx(file)) ? { nearPath: nearPathSpec(file) } : {};
  return {
    precision,
    models: { ...models, ...staged },
    manifestData,
    origins: [...new Set([manifests.embedding, ...Object.values(manifests).filter(isOfOperator)])].map(
      ({ id, license, trainingData }) => ({ id, license, trainingData }),
    ),
    missing,
  };
}

const isOfOperator = ({ folder }: ModelManifest) => folder !== catalogueFolder;

interface Choice extends Pick<ServingOptions, 'folder'> {
  readonly chosen: ChosenModels;
  /** Whether a model has no file that could be loaded. */
  readonly isMissing: (manifest: ModelManifest) => boolean;
}

/** The manifest of each role: the chosen model, the default one, or the fallback of a default one whose file is missing. */
function findManifests(catalogue: readonly ModelManifest[], { folder, chosen, isMissing }: Choice) {
  checkRoles(chosen);
  const find = (role: ModelRole, id: string): ModelManifest => {
    const manifest = catalogue.find((candidate) => candidate.id === id);
    if (!manifest) {
      throw new Error(
        `INFERENCE_MODELS: there is no model "${id}" for ${role}; the models are ${catalogue.map((candidate) => candidate.id).join(', ')}${folder === undefined ? '; MODELS_FOLDER, the folder of your own models, is not set' : ''}`,
      );
    }
    checkFit(role, manifest);
    return manifest;
  };
  const missing: string[] = [];
  const manifestOf = (role: ModelRole): ModelManifest => {
    const manifest = find(role, chosen[role] ?? defaultModels[role]);
    if (chosen[role] !== undefined || !isDownloaded(manifest)) return manifest;
    const { fallback } = manifest.source;
    if (fallback === undefined || !isMissing(manifest)) return manifest;
    missing.push(`${manifest.id} is missing; ${lackOf(manifest)}`);
    return find(role, fallback);
  };
  const entries = modelRoles.map((role) => [role, manifestOf(role)]);
  return { manifests: Object.fromEntries(entries) as Record<ModelRole, ModelManifest>, missing };
}

function manifestDataOf(manifests: Readonly<Record<ModelRole, ModelManifest>>): ManifestData {
  const probe = (role: ModelRole, name: string): Probe => {
    const manifest = manifests[role];
    const entry = manifest.probes?.[name];
    if (!entry) throw new Error(`${fieldOf(manifest, `probes.${name}`)} is missing`);
    return entry;
  };
  const { alignments = [], calibration, clarity } = manifests.embedding;
  if (!calibration) throw new Error(calibrationFault(manifests.embedding));
  return {
    alignments,
    calibration,
    ...(clarity && { minNorm: clarity.minNorm }),
    background: backgroundOf(manifests.moderation),
    occlusionProbe: probe('mesh', 'occluded'),
    accessoryProbes: Object.fromEntries(
      accessoryTypes.map((type) => [type, probe('description', type)]),
    ) as AccessoryProbes,
  };
}

const calibrationFault = (manifest: ModelManifest) =>
  `The model ${manifest.id} cannot be embedding: ${fieldOf(manifest, 'calibration')} is missing; it turns distances into similarities: "npm run models -- calibrate ${manifest.id} FOLDER --write" makes it from images of known people`;

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
  const modelPrecision = precisionFor(manifest, precision);
  const path = compiledPath(manifest, cache, modelPrecision);
  const isCompiled = backend === 'onnx' || isOnnx(manifest);
  if (isCompiled && !(await isWholeOnnx(path))) {
    const setting = modelPrecision === 'float16' ? 'INFERENCE_PRECISION=float16 ' : '';
    throw new Error(
      `The model ${id} is not compiled, or its file is damaged; run "${setting}npm run models -- compile"`,
    );
  }
  return { id, path, input, outputs, folder, ...(decoding ? { decoding } : {}) };
}
