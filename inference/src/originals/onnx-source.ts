/** Reads an ONNX file: one beside its manifest, or one that is downloaded once into the cache. */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fieldOf, type OnnxManifest } from '../catalogue/manifest';
import { download } from './download';
import { fetchPublished, type PublishedOptions } from './published-file';

/** How a file is fetched that is not in the cache. */
export type Fetching = Pick<PublishedOptions, 'mirror' | 'onProgress'>;

/** Path of an original, which may still have to be downloaded. */
function originalPath({ source, folder }: OnnxManifest, cache: string): string {
  return 'path' in source ? resolve(folder, source.path) : join(cache, 'originals', `${source.sha256}.onnx`);
}

/**
 * @param cache folder of compiled models; downloads go into its subfolder `originals`.
 * @throws MissingFileError when a published file cannot be downloaded; Error, one sentence that names manifest and field.
 */
export async function readOnnxSource(
  manifest: OnnxManifest,
  cache: string,
  fetching: Fetching = {},
): Promise<Buffer> {
  const path = originalPath(manifest, cache);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const isLocal = 'path' in manifest.source;
    if (!isLocal && error.code === 'ENOENT') return undefined;
    const field = isLocal ? 'source.path' : 'source.url';
    throw new Error(`${fieldOf(manifest, field)}: ${path} cannot be read (${error.code})`);
  });
  if (bytes) {
    checkHash(manifest, bytes, path);
    return bytes;
  }
  const running = downloads.get(path) ?? fetchOriginal(manifest, path, fetching);
  downloads.set(path, running);
  await running;
  downloads.delete(path);
  return readFile(path);
}

/**
 * Downloads by path, so that a second caller waits for the first. A failed one stays: another attempt of the same command
 * would take as long and fail, too.
 */
const downloads = new Map<string, Promise<void>>();

async function fetchOriginal(
  manifest: OnnxManifest,
  path: string,
  { mirror, onProgress }: Fetching,
): Promise<void> {
  const { source } = manifest;
  await mkdir(dirname(path), { recursive: true });
  if (source.kind === 'published') await fetchPublished(source, path, { mirror, onProgress });
  if (source.kind !== 'https') return;
  await download({ url: source.url, sha256: source.sha256, path, onProgress }).catch((error: Error) => {
    throw new Error(`${fieldOf(manifest, 'source')}: ${error.message}`);
  });
}

function checkHash(manifest: OnnxManifest, bytes: Buffer, path: string): void {
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual === manifest.source.sha256) return;
  throw new Error(
    `${fieldOf(manifest, 'source.sha256')}: ${path} has SHA-256 ${actual}, the manifest says ${manifest.source.sha256}`,
  );
}
