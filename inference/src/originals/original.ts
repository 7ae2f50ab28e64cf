/** Loads a model as its package ships it. Compiled models are recorded from it and compared with it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { packageFolder } from '../catalogue/compiled-path';
import type { PackageManifest, PackageSource } from '../catalogue/manifest';
import { setInputSize, stretchResizes } from './input-size';

/** One pass over int32 pixels of shape [n, height, width, channels]; returns tensors by the manifest's output names. */
export type Forward = (input: tf.Tensor4D) => Record<string, tf.Tensor>;

export interface Original {
  readonly forward: Forward;
}

let ready: Promise<unknown> | undefined;

/** Prepares TFJS's WebAssembly backend, which needs no native addon. */
export function prepareTfjs(): Promise<unknown> {
  ready ??= (async () => {
    setWasmPaths(`${dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}/`);
    await tf.setBackend('wasm');
    await tf.ready();
  })();
  return ready;
}

/**
 * Loads the original of a manifest.
 * @throws Error when a source file is missing or its SHA-256 is not the manifest's.
 */
export async function loadOriginal(manifest: PackageManifest): Promise<Original> {
  await prepareTfjs();
  const files = await readSource(manifest.source);
  const run = await loaders[manifest.source.kind](manifest, files);
  const { scale, offset } = manifest.input;
  return {
    forward: (pixels) =>
      tf.tidy(() => {
        let x: tf.Tensor4D = tf.cast(pixels, 'float32');
        if (scale !== undefined) x = tf.mul(x, scale);
        if (offset !== undefined) x = tf.add(x, offset);
        return run(x);
      }),
  };
}

async function readSource(source: PackageSource): Promise<Buffer[]> {
  const folder = packageFolder(source.package);
  return Promise.all(
    source.files.map(async ({ path, sha256 }) => {
      const bytes = await readFile(join(folder, path));
      const actual = createHash('sha256').update(bytes).digest('hex');
      if (actual !== sha256) {
        throw new Error(`${source.package}/${path} has SHA-256 ${actual}, the manifest says ${sha256}`);
      }
      return bytes;
    }),
  );
}

type Run = (x: tf.Tensor4D) => Record<string, tf.Tensor>;
type Loader = (manifest: PackageManifest, files: Buffer[]) => Promise<Run>;

const loaders: Record<PackageSource['kind'], Loader> = {
  graph: loadGraph,
  code: loadCode,
};

async function loadGraph(manifest: PackageManifest, files: Buffer[]): Promise<Run> {
  const artifacts = readArtifacts(manifest, files);
  const stretch = setInputSize(artifacts.modelTopology, manifest);
  const model = await tf.loadGraphModel(tf.io.fromMemory(artifacts));
  if (stretch) stretchResizes(model, artifacts.modelTopology, stretch);
  const nodes = manifest.outputs.map((output) => output.source ?? model.outputs[0]?.name ?? '');
  return (x) => {
    const results = [model.execute(x, nodes)].flat();
    return Object.fromEntries(manifest.outputs.map((output, i) => [output.name, results[i] as tf.Tensor]));
  };
}

/** Model and weights in TFJS's form for loading from memory; topology first, then weight shards. */
function readArtifacts(manifest: PackageManifest, files: Buffer[]): tf.io.ModelArtifacts {
  const [topology, ...shards] = manifest.source.files.map((file, i) =>
    file.path.endsWith('.js') ? moduleValue(manifest.source.package, file.path) : (files[i] as Buffer),
  );
  const json = (
    Buffer.isBuffer(topology) ? JSON.parse(topology.toString('utf8')) : topology
  ) as tf.io.ModelJSON;
  const weights = Buffer.concat(
    shards.map((shard) => (Buffer.isBuffer(shard) ? shard : Buffer.from(shard as string, 'base64'))),
  );
  return {
    modelTopology: json.modelTopology,
    weightSpecs: json.weightsManifest.flatMap((group) => group.weights),
    weightData: arrayBuffer(weights),
  };
}

/** The exports of a package's script file: nsfwjs ships topology and base64 weights as modules. */
function moduleValue(packageName: string, path: string): unknown {
  return require(join(packageFolder(packageName), path));
}

interface FaceApiNet {
  loadFromWeightMap(weights: tf.NamedTensorMap): void;
  forwardInput(input: unknown, inputSize: number): tf.Tensor | Record<string, tf.Tensor | tf.Tensor[]>;
}
interface FaceApi {
  NetInput: new (inputs: tf.Tensor[]) => unknown;
  [entry: string]: (new (...args: unknown[]) => FaceApiNet) | (new (inputs: tf.Tensor[]) => unknown);
}

/** Networks whose architecture is code (face-api's classes) and only the weights are data. */
async function loadCode(manifest: PackageManifest, files: Buffer[]): Promise<Run> {
  const { source } = manifest;
  const name = source.package;
  const entry = source.kind === 'code' ? source.entry : '';
  const faceApi = require(join(packageFolder(name), 'dist', 'face-api.node-wasm.js')) as FaceApi;
  const Net = faceApi[entry] as (new () => FaceApiNet) | undefined;
  if (!Net) throw new Error(`${name} has no class "${entry}" for the model ${manifest.id}`);
  const [weightsManifest, ...shards] = files as [Buffer, ...Buffer[]];
  const specs = (JSON.parse(weightsManifest.toString('utf8')) as tf.io.WeightsManifestConfig).flatMap(
    (g) => g.weights,
  );
  const net = new Net();
  net.loadFromWeightMap(tf.io.decodeWeights(arrayBuffer(Buffer.concat(shards)), specs));
  return (x) => {
    const result = net.forwardInput(new faceApi.NetInput([x]), manifest.input.width);
    return Object.fromEntries(
      manifest.outputs.map(({ name: output, source }) => {
        const tensors = result instanceof tf.Tensor ? result : result[source ?? output];
        return [output, [tensors].flat()[0] as tf.Tensor];
      }),
    );
  };
}

function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
