/** The output of `models list`: source, license and compiled size of each model. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { compiledPath, sourceVersion } from '../catalogue/compiled-path';
import { isOnnx, type ModelManifest } from '../catalogue/manifest';
import { columns } from './columns';

export interface Listing {
  readonly id: string;
  readonly task: string;
  /** Package, version and form, or file, or host. */
  readonly source: string;
  readonly license: string;
  readonly trainingData: string;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** Size of the compiled file, if any. */
  readonly sizeBytes: number | undefined;
}

export async function listingOf(manifest: ModelManifest, cache: string): Promise<Listing> {
  const { id, task, license, trainingData } = manifest;
  const compiled = await stat(compiledPath(manifest, cache)).catch(() => undefined);
  return {
    id,
    task,
    source: sourceOf(manifest),
    license,
    trainingData,
    files: filesOf(manifest),
    sizeBytes: compiled?.size,
  };
}

function sourceOf(manifest: ModelManifest): string {
  const { source } = manifest;
  if (source.kind === 'file' || source.kind === 'shipped') return source.path;
  // Print only the host, because path and query of an address may contain secrets.
  if (source.kind === 'https') return new URL(source.url).host;
  if (source.kind === 'published') return basename(source.url);
  return `${source.package}@${sourceVersion(manifest)}/${source.kind}`;
}

function filesOf(manifest: ModelManifest): Listing['files'] {
  if (!isOnnx(manifest)) return manifest.source.files;
  return [{ path: sourceOf(manifest), sha256: manifest.source.sha256 }];
}

/** The listings as a table, with shortened hashes and only the first of several files, each with its training data. */
export function table(listings: readonly Listing[]): string[] {
  const [head, ...rows] = columns([
    ['MODEL', 'TASK', 'COMPILED', 'SOURCE', 'SHA256', 'LICENSE'],
    ...listings.map(({ id, task, sizeBytes, source, files, license }) => [
      id,
      task,
      sizeBytes === undefined ? 'no' : `${(sizeBytes / 1e6).toFixed(1)} MB`,
      source,
      `${files[0]?.sha256.slice(0, 12)}${files.length > 1 ? ` and ${files.length - 1} more` : ''}`,
      license,
    ]),
  ]) as [string, ...string[]];
  return [head, ...rows.flatMap((row, i) => [row, `  Training data: ${listings[i]?.trainingData}`])];
}
