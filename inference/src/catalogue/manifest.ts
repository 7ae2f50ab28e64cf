/**
 * The model catalogue: one JSON manifest per model, validated when it is read. A manifest describes the source of the
 * weights, the input and the outputs. The built-in ones are in `inference/models`; operators add a folder of their own.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Ajv from 'ajv';
import manifestSchema from './manifest.schema.json';
import type {
  AlignmentTemplate,
  Calibration,
  Clarity,
  Decoding,
  Probe,
  Quantization,
} from './manifest-parts';
import { packageRoot } from './paths';
import { renameFields } from './renamed-fields';

/** A model of an npm package in one of two forms of TFJS, which the compiler records. */
export type PackageSource = {
  readonly package: string;
  /** Files inside the package, topology first, with the SHA-256 of each. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
} & (
  | {
      /** A TFJS graph model. */
      readonly kind: 'graph';
    }
  | {
      /** The architecture is code of the package. */
      readonly kind: 'code';
      /** The class that builds the network. */
      readonly entry: string;
    }
);

/** An ONNX file that its authors publish. It is downloaded when the model is compiled. */
export interface PublishedSource {
  readonly kind: 'published';
  /** Address of the file at a fixed version. */
  readonly url: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Text of the license, relative to the manifest's folder. */
  readonly licenseFile: string;
  /** A Python package that holds the same file, for networks that reach its registry only. None of its code runs. */
  readonly wheel?: Wheel;
  /** The model of a package that takes its place by default where the file cannot be fetched. */
  readonly fallback?: string;
  /** The end of a sentence that begins with `without it,`: the effect on the service if the file cannot be fetched. */
  readonly lack: string;
}

/**
 * An ONNX file of other authors that comes with the service, with its license: a small one, which the service cannot do
 * without.
 */
export interface ShippedSource {
  readonly kind: 'shipped';
  /** Relative to the manifest's folder. */
  readonly path: string;
  readonly sha256: string;
  /** Address of the same file at its authors', at a fixed version. */
  readonly url: string;
  /** Text of the license, relative to the manifest's folder. */
  readonly licenseFile: string;
}

/** One file in the wheel of a Python package; a wheel is a ZIP archive. */
export interface Wheel {
  readonly package: string;
  readonly version: string;
  readonly sha256: string;
  /** Path of the file in the archive. */
  readonly path: string;
}

/** An ONNX file. The compiler puts the preparation of the pixels in front of its graph. */
export type OnnxSource =
  | PublishedSource
  | ShippedSource
  | {
      readonly kind: 'file';
      /** Relative to the manifest's folder. */
      readonly path: string;
      readonly sha256: string;
    }
  | { readonly kind: 'https'; readonly url: string; readonly sha256: string };

export interface PackageInput {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  /** The graph computes `pixel * scale + offset` from uint8 pixels before the original's first layer. */
  readonly scale?: number;
  readonly offset?: number;
}

export interface OnnxInput extends PackageInput {
  /** Name of the graph's input. Default: the only one. */
  readonly source?: string;
  /** Order of the axes of the graph's input. */
  readonly layout: 'NHWC' | 'NCHW';
  /** Order of the channels of the graph's input. Default RGB. */
  readonly order?: 'RGB' | 'BGR';
  /** One value per channel, in the graph's order: the graph's input is `(pixel * scale + offset - mean) / std`. */
  readonly mean?: readonly number[];
  readonly std?: readonly number[];
  /** The only batch that the graph takes, where the file does not declare it. */
  readonly batch?: number;
  /** Whether the graph is to take this width and height in place of those that its file declares. */
  readonly resized?: boolean;
}

export interface ModelOutput {
  readonly name: string;
  /** Graph node, property or position of the output in the original. Default: the only one. */
  readonly source?: string;
  /** Shape of one example, without the batch dimension. */
  readonly shape: readonly number[];
}

interface Manifest {
  readonly id: string;
  readonly task: string;
  readonly description: string;
  readonly license: string;
  readonly trainingData: string;
  readonly outputs: readonly ModelOutput[];
  readonly quantization?: Quantization;
  readonly decoding?: Decoding;
  readonly alignments?: readonly AlignmentTemplate[];
  readonly calibration?: Calibration;
  readonly clarity?: Clarity;
  /** Probes by name, each on one of the outputs. */
  readonly probes?: Readonly<Record<string, Probe>>;
  /** Features of ordinary images. `mean` and `deviation` are base64 of little-endian float32. */
  readonly background?: {
    /** The measured images. */
    readonly source: string;
    readonly spread: number;
    readonly mean: string;
    readonly deviation: string;
  };
  /** Folder of the manifest; not part of the file. */
  readonly folder: string;
}

export interface PackageManifest extends Manifest {
  readonly source: PackageSource;
  readonly input: PackageInput;
}

export interface OnnxManifest extends Manifest {
  readonly source: OnnxSource;
  readonly input: OnnxInput;
}

export type ModelManifest = PackageManifest | OnnxManifest;

const onnxKinds: readonly string[] = ['file', 'https', 'published', 'shipped'];

export const isOnnx = (manifest: ModelManifest): manifest is OnnxManifest =>
  onnxKinds.includes(manifest.source.kind);

type PublishedManifest = OnnxManifest & { readonly source: PublishedSource };
type ShippedManifest = OnnxManifest & { readonly source: ShippedSource };

/** Whether the source is a file that the catalogue downloads from its authors. */
export const isDownloaded = (manifest: ModelManifest): manifest is PublishedManifest =>
  manifest.source.kind === 'published';

/** Whether it is a built-in ONNX file, of which the compiler understands every operation. */
export const isBuiltInOnnx = (manifest: ModelManifest): manifest is PublishedManifest | ShippedManifest =>
  isDownloaded(manifest) || manifest.source.kind === 'shipped';

/** The effect of a missing file on the service, and the remedy: the end of a sentence. */
export const lackOf = ({ id, source }: PublishedManifest) =>
  `without it, ${source.lack}; "npm run models -- compile ${id}" adds it later`;

/** Beginning of a sentence about a field, such as `yunet.json, input.width`. */
export const fieldOf = ({ id }: ModelManifest, field: string) => `${id}.json, ${field}`;

export const catalogueFolder = join(packageRoot, 'models');

/** Pattern of every model's id. */
export const idPattern = new RegExp(manifestSchema.properties.id.pattern);

const validate = new Ajv({ allErrors: true, discriminator: true }).compile<Omit<ModelManifest, 'folder'>>(
  manifestSchema,
);

/**
 * The built-in models and an operator's own, ordered by id.
 * @param ownFolder folder of the operator's manifests, if any.
 * @throws Error that names file and field of an invalid manifest, or an id that two models share.
 */
export async function readModels(ownFolder?: string): Promise<ModelManifest[]> {
  const builtIn = await readCatalogue();
  if (ownFolder === undefined) return builtIn;
  const ownModels = await readCatalogue(ownFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === 'scandir')
      throw new Error(`MODELS_FOLDER names ${ownFolder}, which cannot be read (${error.code})`);
    throw error;
  });
  const twice = ownModels.find(({ id }) => builtIn.some((other) => other.id === id));
  if (twice) {
    throw new Error(
      `${fieldOf(twice, 'id')}: "${twice.id}" is a built-in model; give the one in ${ownFolder} another id`,
    );
  }
  return [...builtIn, ...ownModels].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Reads every manifest of a folder, ordered by id.
 * @throws Error that names file and field if a manifest does not match the schema.
 */
export async function readCatalogue(folder = catalogueFolder): Promise<ModelManifest[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map((name) => readManifest(folder, name)));
}

async function readManifest(folder: string, name: string): Promise<ModelManifest> {
  const manifest = parseManifest(await readFile(join(folder, name), 'utf8'), name);
  if (!validate(manifest)) {
    const faults = validate.errors
      ?.filter(({ keyword }) => keyword !== 'if')
      .map((e) => `${e.instancePath || 'manifest'} ${e.message}`);
    throw new Error(`Model manifest ${name} is not valid: ${faults?.join('; ')}`);
  }
  if (`${manifest.id}.json` !== basename(name)) {
    throw new Error(`Model manifest ${name} has the id "${manifest.id}": file and id must agree`);
  }
  const whole = { ...manifest, folder } as ModelManifest;
  checkLengths(whole);
  return whole;
}

/** The text of a manifest or a part of it, with one line per point of a curve or an alignment. */
export const manifestText = (value: object): string =>
  JSON.stringify(value, null, 2).replace(/\[\s+([-\d.e]+),\s+([-\d.e]+)\s+\]/g, '[$1, $2]');

/**
 * Fields with a name of an earlier release get their present name.
 * @throws Error that names the file.
 */
export function parseManifest(text: string, name: string): unknown {
  return renameFields(parseJson(text, name), name);
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Model manifest ${name} is not JSON: ${(error as Error).message}`);
  }
}

/** Checks what a schema cannot: lists of equal length. */
function checkLengths(manifest: ModelManifest): void {
  manifest.alignments?.forEach(({ landmarks, positions }, i) => {
    if (landmarks.length !== positions.length) {
      throw new Error(
        `${fieldOf(manifest, `alignments.${i}`)}: ${landmarks.length} landmarks have ${positions.length} positions`,
      );
    }
  });
  if (!isOnnx(manifest)) return;
  const { input } = manifest;
  for (const name of ['mean', 'std'] as const) {
    const count = input[name]?.length ?? input.channels;
    if (count !== input.channels) {
      throw new Error(
        `${fieldOf(manifest, `input.${name}`)}: ${count} values for ${input.channels} channels`,
      );
    }
  }
  if (input.order === 'BGR' && input.channels !== 3) {
    throw new Error(`${fieldOf(manifest, 'input.order')}: only three channels have an order`);
  }
}
