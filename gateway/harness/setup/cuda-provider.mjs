// Installs ONNX Runtime's CUDA provider beside the library of onnxruntime-node, whose package does not contain it. The
// package's own install script takes the archive that its registry serves at the time. This script takes the one that
// inference/src/backends/cuda-provider.json pins by hash, and whose CUDA version the image, the documents and the error
// messages name. Runs after `npm ci`:
//
//   node gateway/harness/setup/cuda-provider.mjs

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PIN = join(ROOT, 'inference/src/backends/cuda-provider.json');
const PACKAGE = join(ROOT, 'node_modules/onnxruntime-node');

/** @typedef {{ onnxruntime: string, cuda: number, archive: string, sha256: string, files: string[], platform: string }} Pin */

/** @returns {Pin} */
export const readPin = () => JSON.parse(readFileSync(PIN, 'utf8'));

/**
 * @param {object} [options]
 * @param {Pin} [options.pin]
 * @param {string} [options.folder] where onnxruntime-node is installed
 * @param {AbortSignal} [options.abort]
 * @throws {Error} one sentence, when the provider does not fit the package or the machine, or is not what was pinned
 */
export async function installCudaProvider({ pin = readPin(), folder = PACKAGE, abort } = {}) {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== pin.platform) {
    throw new Error(`ONNX Runtime's CUDA provider exists for ${pin.platform} only, and this is ${platform}.`);
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (version !== pin.onnxruntime) {
    throw new Error(
      `The pinned CUDA provider is for ONNX Runtime ${pin.onnxruntime}, and ${version} is installed.`,
    );
  }
  const archive = await download(pin, abort);
  const { default: Zip } = await import('adm-zip');
  const zip = new Zip(archive);
  const target = join(folder, 'bin/napi-v6', process.platform, process.arch);
  mkdirSync(target, { recursive: true });
  for (const name of pin.files) {
    const bytes = zip.readFile(name);
    if (!bytes) throw new Error(`The archive of the CUDA provider has no ${name}.`);
    const file = join(target, basename(name));
    writeFileSync(`${file}.new`, bytes);
    renameSync(`${file}.new`, file);
  }
}

/** @param {Pin} pin @param {AbortSignal} [abort] */
async function download({ archive, sha256 }, abort) {
  const response = await fetch(archive, abort ? { signal: abort } : {}).catch(({ cause, message }) => {
    throw new Error(`${archive} cannot be downloaded: ${cause?.message ?? message}.`);
  });
  if (!response.ok) throw new Error(`${archive} responded with ${response.status}.`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== sha256) throw new Error(`${archive} has the SHA-256 ${actual}, not the pinned ${sha256}.`);
  return bytes;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  installCudaProvider().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
