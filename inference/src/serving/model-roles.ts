/**
 * Roles and the requirements of each. A model that does not meet them is rejected at startup, with the name of the
 * manifest's invalid field.
 */
import { product } from '../backends/backend';
import { fieldOf, type ModelManifest } from '../catalogue/manifest';
import { accessoryTypes } from '../pipeline/attributes/accessories';
import { decoders } from '../pipeline/detectors/decoders';
import { type ModelRole, modelRoles } from '../pipeline/operations';

/** Model ids by role. */
export type ChosenModels = Readonly<Record<string, string>>;

/**
 * Reads `thorough=scrfd,embedding=arcface`.
 * @throws Error if a role is named twice.
 */
export function parseChosenModels(text: string): ChosenModels {
  const pairs = text === '' ? [] : text.split(',').map((pair) => pair.split('=') as [string, string]);
  const twice = pairs.find(([role], i) => pairs.findIndex(([other]) => other === role) < i);
  if (twice) throw new Error(`INFERENCE_MODELS names the role ${twice[0]} twice`);
  return Object.fromEntries(pairs);
}

/** @throws Error that names an unknown role. */
export function checkRoles(chosen: ChosenModels): void {
  const unknown = Object.keys(chosen).find((role) => !(modelRoles as readonly string[]).includes(role));
  if (unknown === undefined) return;
  throw new Error(`INFERENCE_MODELS: there is no role "${unknown}"; the roles are ${modelRoles.join(', ')}`);
}

interface Requirement {
  readonly task: string;
  /** Values per image that the role reads, by output. */
  readonly outputs?: Readonly<Record<string, number>>;
  /** Further checks. @returns the field and what is wrong with it, if anything */
  readonly fault?: (manifest: ModelManifest) => readonly [field: string, fault: string] | undefined;
}

const detector: Requirement = { task: 'face-detection', fault: decodingFault };

const requirements: Readonly<Record<ModelRole, Requirement>> = {
  near: detector,
  thorough: detector,
  mesh: { task: 'face-landmarks', outputs: { mesh: 3 * 468, presence: 1 }, fault: meshFault },
  embedding: { task: 'face-embedding', fault: embeddingFault },
  moderation: { task: 'moderation', outputs: { probabilities: 5 }, fault: backgroundFault },
  objects: { task: 'object-detection', fault: objectsFault },
  expression: { task: 'face-emotion', outputs: { probabilities: 7 } },
  ageGender: { task: 'face-attributes', outputs: { age: 1, gender: 2 } },
  description: { task: 'face-embedding', fault: accessoriesFault },
};

/** @throws Error, one sentence that names manifest and field, if a model cannot fill a role. */
export function checkFit(role: ModelRole, manifest: ModelManifest): void {
  const [field, fault] = faultOf(requirements[role], manifest) ?? [];
  if (field === undefined) return;
  throw new Error(`The model ${manifest.id} cannot be ${role}: ${fieldOf(manifest, field)} ${fault}`);
}

function faultOf({ task, outputs = {}, fault }: Requirement, manifest: ModelManifest) {
  if (manifest.task !== task) return ['task', `is ${manifest.task}, it must be ${task}`] as const;
  const { width, height, channels } = manifest.input;
  if (channels !== 3) return ['input.channels', 'is 1, it must be 3'] as const;
  if (width !== height) return ['input', 'must be square'] as const;
  return outputFault(manifest, outputs) ?? fault?.(manifest);
}

const sizesOf = ({ outputs }: ModelManifest) =>
  Object.fromEntries(outputs.map(({ name, shape }) => [name, product(shape)]));

function outputFault(manifest: ModelManifest, needed: Readonly<Record<string, number>>) {
  const sizes = sizesOf(manifest);
  for (const [name, size] of Object.entries(needed)) {
    if (sizes[name] === size) continue;
    const has = sizes[name] === undefined ? 'lacks it' : `has ${sizes[name]}`;
    return ['outputs', `must have "${name}" with ${size} values per image, the model ${has}`] as const;
  }
  return undefined;
}

function decodingFault(manifest: ModelManifest) {
  const { decoding, input } = manifest;
  if (!decoding) {
    const kinds = Object.keys(decoders).join(', ');
    return [
      'decoding',
      `is missing; it describes how to read a detector's outputs, its kinds are ${kinds}`,
    ] as const;
  }
  return outputFault(manifest, decoders[decoding.kind].needs(input.width, sizesOf(manifest)));
}

/** The occlusion probe reads the mean features of three bands of a grid of 6 x 6 cells. */
function meshFault(manifest: ModelManifest) {
  return probeFault(manifest, 'occluded', 'features', 36 / 3);
}

function accessoriesFault(manifest: ModelManifest) {
  for (const type of accessoryTypes) {
    const fault = probeFault(manifest, type, 'embedding', 1);
    if (fault) return fault;
  }
  return undefined;
}

/** @param perWeight values of the output per weight of the probe. */
function probeFault(manifest: ModelManifest, name: string, output: string, perWeight: number) {
  const weights = manifest.probes?.[name]?.weights.length;
  if (weights === undefined) return [`probes.${name}`, 'is missing'] as const;
  return outputFault(manifest, { [output]: weights * perWeight });
}

function backgroundFault(manifest: ModelManifest) {
  const { background } = manifest;
  if (!background) return ['background', 'is missing; custom categories are measured against it'] as const;
  // Base64 of float32.
  const values = [background.mean, background.deviation].map(
    (text) => Buffer.from(text, 'base64').length / 4,
  );
  const [mean = 0, deviation] = values;
  if (mean !== deviation) return ['background', 'has a mean and a deviation of different lengths'] as const;
  return outputFault(manifest, { features: mean });
}

function objectsFault(manifest: ModelManifest) {
  const values = sizesOf(manifest).heat;
  if (!values) return ['outputs', 'must have "heat"'] as const;
  return values % 80 === 0 ? undefined : (['outputs', '"heat" must have 80 values a cell'] as const);
}

function embeddingFault(manifest: ModelManifest) {
  if (!sizesOf(manifest).embedding) return ['outputs', 'must have "embedding"'] as const;
  if (!manifest.alignments) {
    return ['alignments', 'is missing; it maps points of the face to the chip'] as const;
  }
  return undefined;
}
