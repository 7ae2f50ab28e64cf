/**
 * Where a compiled model lies. The name holds the version of the source package and a hash of manifest and
 * compiler, so a change of any of them makes a new file and a stale one is never loaded.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../paths';
import type { ModelManifest } from './manifest';

/** Path of a manifest's compiled file inside a cache folder, whether it is there or not. */
export function compiledPath(manifest: ModelManifest, cache: string): string {
  // Only what the file is made of: a better description or calibration needs no new one.
  const { source, input, outputs } = manifest;
  const recipe = JSON.stringify({ source, input, outputs });
  const version = createHash('sha256').update(compilerHash()).update(recipe).digest('hex');
  return join(cache, `${manifest.id}-${sourceVersion(manifest)}-${version.slice(0, 12)}.onnx`);
}

/** Version of the package that a model comes from. */
export const sourceVersion = (manifest: ModelManifest) => versionOf(manifest.source.package);

function versionOf(packageName: string): string {
  return JSON.parse(readFileSync(join(packageFolder(packageName), 'package.json'), 'utf8')).version;
}

/** Folder of an installed package, found as Node would; `exports` may hide its files from `require.resolve`. */
export function packageFolder(name: string): string {
  const folders = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name));
  const found = folders.find((folder) => existsSync(join(folder, 'package.json')));
  if (!found) throw new Error(`The package ${name} is not installed`);
  return found;
}

let ownHash: string | undefined;

/** Hash of the compiler's own code and of what it records from: nobody has to remember to raise a version. */
function compilerHash(): string {
  if (ownHash === undefined) {
    const hash = createHash('sha256');
    for (const name of ['trace', 'graph', 'lower', 'onnx-file', 'original', 'input-size', 'compile']) {
      hash.update(readFileSync(join(packageRoot, 'dist', 'compiler', `${name}.js`)));
    }
    hash.update(versionOf('@tensorflow/tfjs'));
    ownHash = hash.digest('hex');
  }
  return ownHash;
}
