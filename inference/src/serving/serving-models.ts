/** Finds the model for each role, and reads the pipeline's data from the manifests. */
import { createHash } from 'node:crypto';
import { type BackendName, type ModelSpec, product } from '../backends/backend';
import { compiledPath } from '../catalogue/compiled-path';
import { embeddingParts, isFusion, partsOf, readFusion } from '../catalogue/fusion';
import type { Calibration, EmbeddingPart, Probe, QuickEmbedding } from '../catalogue/knowledge';
import { fieldOf, isOnnx, type ModelManifest, readModels } from '../catalogue/manifest';
import { type Precision, precisionFor } from '../catalogue/precision';
import { isWholeOnnx } from '../onnx-format/whole-file';
import { type AccessoryProbes, accessoryTypes } from '../pipeline/attributes/accessories';
import type { Background } from '../pipeline/moderation/prototype';
import { nearPathSpec } from '../pipeline/near-path/stage';
import { type Knowledge, type ModelRole, modelRoles } from '../pipeline/operations';
import defaults from './default-models.json';
import { type ChosenModels, checkFit, checkRoles } from './model-roles';
import { nearPathOf } from './near-path-file';

/** The model cards of the documentation read the same file. */
export const defaultModels: Readonly<Record<ModelRole, string>> = defaults;

/** The models and knowledge of a worker. */
export interface ServingModels {
  readonly precision: Precision;
  readonly models: Readonly<Record<ModelRole, ModelSpec> & Record<string, ModelSpec>>;
  readonly knowledge: Knowledge;
  /** License and training data of the models that compare faces, and of the operator's own. */
  readonly origins: readonly Pick<ModelManifest, 'id' | 'licence' | 'trainingData'>[];
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
  checkRoles(chosen);
  const catalogue = await readModels(folder);
  const find = (role: ModelRole, id: string): ModelManifest => {
    const manifest = catalogue.find((candidate) => candidate.id === id);
    if (!manifest) {
      throw new Error(
        `INFERENCE_MODELS: there is no model "${id}" for ${role}; the models are ${catalogue.map((one) => one.id).join(', ')}${folder === undefined ? '; MODELS_FOLDER, the folder of your own models, is not set' : ''}`,
      );
    }
    checkFit(role, manifest);
    return manifest;
  };
  const idOf = (role: ModelRole) => chosen[role] ?? defaultModels[role];
  const embedding = await findEmbedding(idOf('embedding'), (id) => find('embedding', id), folder);
  const manifests = {
    ...Object.fromEntries(otherRoles.map((role) => [role, find(role, idOf(role))])),
    ...Object.fromEntries(embedding.parts.map(({ model }, i) => [model, embedding.manifests[i]])),
  } as Record<ModelRole, ModelManifest> & Record<string, ModelManifest>;
  const specs = Object.entries(manifests).map(
    async ([name, manifest]) => [name, await specOf(manifest, cache, { backend, precision })] as const,
  );
  const models = Object.fromEntries(await Promise.all(specs)) as ServingModels['models'];
  const file = nearPath ? nearPathOf(models, embedding.parts, cache) : undefined;
  const staged = file !== undefined && (await isWholeOnnx(file)) ? { nearPath: nearPathSpec(file) } : {};
  return {
    precision,
    models: { ...models, ...staged },
    knowledge: {
      embedding: embedding.parts,
      calibration: embedding.calibration,
      quick: quickPart(embedding),
      ...knowledgeOf((role) => manifests[role]),
    },
    origins: [...new Set([...embedding.manifests, ...Object.values(manifests).filter(isOnnx)])].map(
      ({ id, licence, trainingData }) => ({ id, licence, trainingData }),
    ),
  };
}

const otherRoles = modelRoles.filter((role) => role !== 'embedding');

interface ServedEmbedding {
  /** In the order of the parts. */
  readonly manifests: readonly ModelManifest[];
  readonly parts: readonly EmbeddingPart[];
  readonly calibration: Calibration;
}

/** One embedding model, or several that a fusion joins. */
async function findEmbedding(
  id: string,
  find: (id: string) => ModelManifest,
  folder: string | undefined,
): Promise<ServedEmbedding> {
  const manifests = partsOf(id).map(find);
  const remedy = `"npm run models -- calibrate ${id} FOLDER --write" makes it from images of known people`;
  if (isFusion(id)) {
    const fusion = await readFusion(id, folder);
    if (!fusion) throw new Error(`INFERENCE_MODELS: there is no file ${id}.json: ${remedy}`);
    return { manifests, parts: embeddingParts(fusion, manifests), calibration: fusion.calibration };
  }
  const [manifest] = manifests as [ModelManifest];
  const { calibration } = manifest;
  if (!calibration) {
    throw new Error(
      `The model ${id} cannot be embedding: ${fieldOf(manifest, 'calibration')} is missing; it turns distances into similarities: ${remedy}`,
    );
  }
  return { manifests, parts: embeddingParts({ id, parts: [{ weight: 1 }] }, manifests), calibration };
}

/** Undefined if the embedding is a single model, or if no part with a single chip has a calibration of its own. */
function quickPart({ parts, manifests }: ServedEmbedding): QuickEmbedding | undefined {
  if (parts.length === 1) return undefined;
  let start = 0;
  for (const [i, part] of parts.entries()) {
    const { outputs, calibration } = manifests[i] as ModelManifest;
    const length = product(outputs.find(({ name }) => name === 'embedding')?.shape ?? []);
    if (part.chips.length === 1 && calibration) return { part, start, length, calibration };
    start += length;
  }
  return undefined;
}

function knowledgeOf(
  manifestOf: (role: ModelRole) => ModelManifest,
): Omit<Knowledge, 'embedding' | 'calibration' | 'quick'> {
  const probe = (role: ModelRole, name: string): Probe => {
    const manifest = manifestOf(role);
    const found = manifest.probes?.[name];
    if (!found) throw new Error(`${fieldOf(manifest, `probes.${name}`)} is missing`);
    return found;
  };
  return {
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
  const own = precisionFor(manifest, precision);
  const path = compiledPath(manifest, cache, own);
  if (backend === 'onnx') {
    if (!(await isWholeOnnx(path))) {
      const setting = own === 'float16' ? 'INFERENCE_PRECISION=float16 ' : '';
      throw new Error(
        `The model ${id} is not compiled, or its file is damaged; run "${setting}npm run models -- compile"`,
      );
    }
  } else if (isOnnx(manifest)) {
    throw new Error(
      `The model ${id} is an ONNX file, which INFERENCE_BACKEND=tfjs does not run; choose another in INFERENCE_MODELS or set INFERENCE_BACKEND=onnx`,
    );
  }
  return { id, path, input, outputs, folder, ...(decoding ? { decoding } : {}) };
}
