/**
 * Compiles models into the cache: records the original of a package and lowers it to ONNX, or adapts an ONNX file to the
 * input of served models.
 */
import { mkdir } from 'node:fs/promises';
import { OnnxBackend } from '../backends/onnx';
import { compiledPath, sourceVersion } from '../catalogue/compiled-path';
import {
  fieldOf,
  isBuiltInOnnx,
  isOnnx,
  type ModelManifest,
  type OnnxManifest,
  type PackageManifest,
} from '../catalogue/manifest';
import { defaultModelCache } from '../catalogue/paths';
import { type Precision, precisionsOf } from '../catalogue/precision';
import { encodeOnnx } from '../onnx-format/onnx-file';
import { readOnnx } from '../onnx-format/read-onnx';
import { isWholeOnnx } from '../onnx-format/whole-file';
import { type Fetching, readOnnxSource } from '../originals/onnx-source';
import { loadOriginal } from '../originals/original';
import { writeAtomically } from '../originals/write-atomically';
import { adaptOnnx } from './adapt';
import { fasterFile } from './faster-file';
import { toFloat16 } from './float16';
import { foldConvolutions, type NodesAndConstants } from './fold';
import { sizeOf } from './graph';
import { lower, UnsupportedKernelError } from './lower';
import { plainFile } from './plain-file';
import { quantize } from './quantize';
import { type Trace, trace } from './trace';
import { verifyModel } from './verify';

export const inputName = 'pixels';

/** The graph of a model, and the version of its operators if it is not that of this compiler. */
export interface CompiledGraph extends NodesAndConstants {
  readonly opset?: number;
}

/**
 * Compiles one model in memory.
 * @returns bytes of an ONNX file: input `pixels` uint8 [N, height, width, channels], outputs float [N, ...shape].
 * @throws UnsupportedKernelError that names the model; Error when the file or an output's shape does not match the manifest.
 */
export async function compileModel(
  manifest: ModelManifest,
  precision: Precision,
  cache = defaultModelCache,
  fetching: Fetching = {},
): Promise<Uint8Array> {
  if (isOnnx(manifest) && !isBuiltInOnnx(manifest)) return adaptedFile(manifest, cache, fetching);
  const exact = await compileGraph(manifest, cache, fetching);
  if (precision === 'int8') return encodeModel(manifest, quantized(manifest, exact));
  const outputs = manifest.outputs.map(({ name }) => name);
  return encodeModel(manifest, precision === 'float16' ? { ...exact, ...toFloat16(exact, outputs) } : exact);
}

/** An ONNX file with the manifest's input and outputs. */
async function adaptedFile(manifest: OnnxManifest, cache: string, fetching: Fetching): Promise<Uint8Array> {
  const file = plainFile(manifest, await readOnnxSource(manifest, cache, fetching));
  return adaptOnnx(manifest, fasterFile(manifest, file));
}

/** The graph of a model in 32-bit floats. */
export async function compileGraph(
  manifest: ModelManifest,
  cache = defaultModelCache,
  fetching: Fetching = {},
): Promise<CompiledGraph> {
  return isOnnx(manifest) ? graphOfFile(manifest, cache, fetching) : graphOfPackage(manifest);
}

async function graphOfFile(
  manifest: OnnxManifest,
  cache: string,
  fetching: Fetching,
): Promise<CompiledGraph> {
  const model = readOnnx(await adaptedFile(manifest, cache, fetching));
  if (model) return model;
  throw new Error(`${fieldOf(manifest, 'source')}: the compiler does not understand all of the file`);
}

async function graphOfPackage(manifest: PackageManifest): Promise<CompiledGraph> {
  const { width, height, channels } = manifest.input;
  const original = await loadOriginal(manifest);
  const recorded = trace(original.forward, [height, width, channels]);
  const { graph, outputs } = lowerModel(manifest, recorded);
  for (const { name, shape } of manifest.outputs) {
    const made = recorded.outputs[name]?.shape ?? [];
    if (sizeOf(made) !== sizeOf(shape)) {
      throw new Error(
        `${manifest.id}: output "${name}" has the shape [${made}], the manifest says [${shape}]`,
      );
    }
    graph.node('Reshape', [outputs[name] as string, graph.int64s([0, ...shape])], {}, name);
  }
  return foldConvolutions(graph);
}

function quantized(manifest: ModelManifest, exact: CompiledGraph): CompiledGraph {
  if (!manifest.quantization) throw new Error(`${manifest.id}: the manifest has no quantization`);
  try {
    return { ...exact, ...quantize(exact, manifest.quantization) };
  } catch (error) {
    throw new Error(`${manifest.id}: ${(error as Error).message}`);
  }
}

/** @param watched values that the file returns besides the manifest's outputs. */
export function encodeModel(
  manifest: ModelManifest,
  { nodes, initializers, opset }: CompiledGraph,
  watched: readonly string[] = [],
): Uint8Array {
  const { width, height, channels } = manifest.input;
  return encodeOnnx({
    name: manifest.id,
    inputs: [{ name: inputName, type: 'uint8', dims: ['N', height, width, channels] }],
    outputs: [
      ...manifest.outputs.map(({ name, shape }) => ({
        name,
        type: 'float' as const,
        dims: ['N', ...shape],
      })),
      ...watched.map((name) => ({ name, type: 'float' as const })),
    ],
    nodes,
    initializers,
    metadata: { source: sourceName(manifest), license: manifest.license },
    ...(opset !== undefined && { opset }),
  });
}

/** The source of the original, for the metadata of the compiled file. */
function sourceName(manifest: ModelManifest): string {
  if (isBuiltInOnnx(manifest)) return manifest.source.url;
  const version = sourceVersion(manifest);
  return isOnnx(manifest) ? version : `${manifest.source.package}@${version}`;
}

function lowerModel(manifest: PackageManifest, recorded: Trace): ReturnType<typeof lower> {
  try {
    return lower(recorded, inputName);
  } catch (error) {
    if (error instanceof UnsupportedKernelError)
      throw new UnsupportedKernelError(error.kernel, error.detail, manifest.id);
    throw error;
  }
}

/**
 * Compiles a model in each of its precisions, unless the cache already has the file.
 * @param options.wanted a precision to compile in as well; the others describe how a missing file is fetched.
 * @returns whether anything was compiled.
 */
export async function ensureCompiled(
  manifest: ModelManifest,
  cache: string,
  { wanted, ...fetching }: Fetching & { readonly wanted?: Precision | undefined } = {},
): Promise<boolean> {
  let compiled = false;
  for (const precision of precisionsOf(manifest, wanted)) {
    compiled = (await ensureCompiledAs(precision, manifest, cache, fetching)) || compiled;
  }
  return compiled;
}

async function ensureCompiledAs(
  precision: Precision,
  manifest: ModelManifest,
  cache: string,
  fetching: Fetching,
): Promise<boolean> {
  const path = compiledPath(manifest, cache, precision);
  if (await isWholeOnnx(path)) return false;
  await mkdir(cache, { recursive: true });
  const bytes = await compileModel(manifest, precision, cache, fetching);
  await writeAtomically(path, bytes, async (partial) => {
    await tryFile(manifest, partial);
    // Other precisions differ more than the tolerance allows.
    if (isOnnx(manifest) && precision === 'float32') await checkBatches(manifest, partial);
  });
  return true;
}

/** Keeps a file out of the cache that the runtime refuses or whose outputs do not match the batch and the manifest. */
async function tryFile(manifest: ModelManifest, path: string): Promise<void> {
  const { width, height, channels } = manifest.input;
  const batch = 2;
  const model = await new OnnxBackend().load({ ...manifest, path }).catch((error: Error) => {
    throw new Error(`${fieldOf(manifest, 'source')}: ONNX Runtime refuses the file: ${error.message}`);
  });
  try {
    const outputs = await model
      .run(new Uint8Array(batch * height * width * channels), batch)
      .catch((error: Error) => {
        throw new Error(`${fieldOf(manifest, 'input')}: the model cannot be run on it: ${error.message}`);
      });
    manifest.outputs.forEach(({ name, shape }, i) => {
      const length = (outputs[name]?.length ?? 0) / batch;
      if (length !== sizeOf(shape)) {
        throw new Error(
          `${fieldOf(manifest, `outputs.${i}.shape`)}: [${shape}] is ${sizeOf(shape)} values, the output "${name}" has ${length} per image`,
        );
      }
    });
  } finally {
    await model.close();
  }
}

/** Refuses a graph that runs on a batch but mixes its images, or hard-codes one image. */
async function checkBatches(manifest: ModelManifest, path: string): Promise<void> {
  const { passed, outputs } = await verifyModel(manifest, path);
  if (passed) return;
  const worst = outputs.map(({ name, difference }) => `"${name}" by ${difference.toExponential(1)}`);
  throw new Error(
    `${fieldOf(manifest, 'input.batch')}: the results of a batch differ from those of its images alone (${worst.join(', ')}); set it to 1`,
  );
}
