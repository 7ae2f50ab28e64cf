/** Reads an operator's own ONNX file, beside its manifest or downloaded once into the cache. */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fieldOf, type OnnxManifest } from '../catalogue/manifest';
import { download, type Progress } from './download';

/** Path of an original, which may still have to be downloaded. */
function originalPath({ source, folder }: OnnxManifest, cache: string): string {
  return source.kind === 'file'
    ? resolve(folder, source.path)
    : join(cache, 'originals', `${source.sha256}.onnx`);
}

/**
 * @param cache folder of compiled models; downloads go into its subfolder `originals`.
 * @throws Error, one sentence that names manifest and field.
 */
export async function readOnnxSource(
  manifest: OnnxManifest,
  cache: string,
  onProgress?: Progress,
): Promise<Buffer> {
  const { source } = manifest;
  const path = originalPath(manifest, cache);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (source.kind === 'https' && error.code === 'ENOENT') return undefined;
    throw new Error(
      `${fieldOf(manifest, `source.${source.kind === 'file' ? 'path' : 'url'}`)}: ${path} cannot be read (${error.code})`,
    );
  });
  if (bytes) {
    checkHash(manifest, bytes, path);
    return bytes;
  }
  if (source.kind === 'https') {
    await mkdir(dirname(path), { recursive: true });
    await download({ url: source.url, sha256: source.sha256, path, onProgress }).catch((error: Error) => {
      throw new Error(`${fieldOf(manifest, 'source')}: ${error.message}`);
    });
  }
  return readFile(path);
}

function checkHash(manifest: OnnxManifest, bytes: Buffer, path: string): void {
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual === manifest.source.sha256) return;
  throw new Error(
    `${fieldOf(manifest, 'source.sha256')}: ${path} has SHA-256 ${actual}, the manifest says ${manifest.source.sha256}`,
  );
}
