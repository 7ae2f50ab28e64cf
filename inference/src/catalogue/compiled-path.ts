/**
 * Paths of compiled models. The name contains the version of the source package and a hash of manifest and compiler, so
 * any change of them leads to a new file, and a stale one is never loaded.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOnnx, type ModelManifest } from './manifest';
import { packageRoot } from './paths';
import type { Precision } from './precision';

/** Path of a manifest's compiled file in a cache folder, which may not exist yet. */
export function compiledPath(
  manifest: ModelManifest,
  cache: string,
  precision: Precision = 'float32',
): string {
  // Only the parts that affect the file: a new description, address or calibration does not.
  const { source, input, outputs, quantization } = manifest;
  const recipe = JSON.stringify({
    source: isOnnx(manifest) ? manifest.source.sha256 : source,
    input,
    outputs,
    ...(precision === 'int8' ? { quantization } : {}),
  });
  const version = createHash('sha256')
    .update(compilerHash(isOnnx(manifest) ? 'onnx' : 'package'))
    .update(recipe)
    .digest('hex');
  const suffix = precision === 'float32' ? '' : `-${precision}`;
  return join(cache, `${manifest.id}-${sourceVersion(manifest)}-${version.slice(0, 12)}${suffix}.onnx`);
}

/**
 * Path of the graph of the near path.
 * @param recipe everything that the graph is made from: the names of the compiled files, which differ by precision, and the
 *   decodings and alignments of their manifests.
 */
export function nearPathFile(recipe: object, cache: string): string {
  const hash = createHash('sha256').update(compilerHash('nearPath')).update(JSON.stringify(recipe));
  return join(cache, `near-path-${hash.digest('hex').slice(0, 12)}.onnx`);
}

/** Version of the model's package, or the start of the SHA-256 of an ONNX file. */
export const sourceVersion = (manifest: ModelManifest) =>
  isOnnx(manifest) ? manifest.source.sha256.slice(0, 8) : versionOf(manifest.source.package);

function versionOf(packageName: string): string {
  return JSON.parse(readFileSync(join(packageFolder(packageName), 'package.json'), 'utf8')).version;
}

/** Folder of an installed package. `exports` may hide its files from `require.resolve`, so this searches as Node does. */
export function packageFolder(name: string): string {
  const folders = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name));
  const installed = folders.find((folder) => existsSync(join(folder, 'package.json')));
  if (!installed) throw new Error(`The package ${name} is not installed`);
  return installed;
}

/** The modules that make a compiled file, by its source. */
const makers = {
  package: [
    ...['trace', 'graph', 'lower', 'fold', 'quantize', 'float16', 'compile'].map(
      (name) => `compiler/${name}`,
    ),
    ...['original', 'input-size'].map((name) => `originals/${name}`),
    'onnx-format/onnx-file',
  ],
  onnx: [
    ...[
      'plain-file',
      'dequantize',
      'faster-file',
      'free-batch',
      'prelu',
      'fold',
      'adapt',
      'quantize',
      'float16',
    ].map((name) => `compiler/${name}`),
    'compiler/compile',
    ...['onnx-file', 'read-onnx', 'protobuf-fields'].map((name) => `onnx-format/${name}`),
  ],
  nearPath: [
    ...['arithmetic', 'best-face', 'near-path', 'sampling'].map((name) => `compiler/${name}`),
    ...['detectors/yunet', 'faces/mesh', 'image/boxes', 'image/geometry'].map((name) => `pipeline/${name}`),
  ],
};

const hashes = new Map<keyof typeof makers, string>();

/** Hash of the compiler's own code and of TFJS's version, so that nobody has to raise a version by hand. */
function compilerHash(kind: keyof typeof makers): string {
  const known = hashes.get(kind);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  for (const name of makers[kind]) {
    hash.update(readFileSync(join(packageRoot, 'dist', `${name}.js`)));
  }
  if (kind === 'package') hash.update(versionOf('@tensorflow/tfjs'));
  const made = hash.digest('hex');
  hashes.set(kind, made);
  return made;
}
