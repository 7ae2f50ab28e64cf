/**
 * Takes one file out of a Python wheel. A package client downloads it, so its index, proxy and credentials apply; the wheel
 * is a ZIP archive that is read here, and none of its code runs.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Zip from 'adm-zip';
import type { Wheel } from '../catalogue/manifest';

/** A program and the arguments that make it run pip. */
export interface PackageClient {
  readonly command: string;
  readonly args: readonly string[];
}

const packageClients: readonly PackageClient[] = [
  { command: 'pip', args: [] },
  { command: 'python3', args: ['-m', 'pip'] },
  { command: 'uv', args: ['tool', 'run', 'pip'] },
];

export interface WheelOptions {
  /** Ends the download. */
  readonly signal?: AbortSignal;
  readonly clients?: readonly PackageClient[];
}

/**
 * @returns the bytes of the file. The caller checks their hash.
 * @throws Error, a part of a sentence, when the wheel cannot be downloaded, has another hash or lacks the file.
 */
export async function fileFromWheel(
  wheel: Wheel,
  { signal, clients = packageClients }: WheelOptions = {},
): Promise<Buffer> {
  const name = `${wheel.package}==${wheel.version}`;
  const folder = await mkdtemp(join(tmpdir(), 'wheel-'));
  try {
    await downloadWheel(name, { folder, clients, signal });
    const [file = ''] = (await readdir(folder)).filter((entry) => entry.endsWith('.whl'));
    const archive = await readFile(join(folder, file));
    const actual = createHash('sha256').update(archive).digest('hex');
    if (actual !== wheel.sha256) {
      throw new Error(`the wheel of ${name} has SHA-256 ${actual}, the manifest says ${wheel.sha256}`);
    }
    const bytes = new Zip(archive).readFile(wheel.path);
    if (!bytes) throw new Error(`the wheel of ${name} has no file ${wheel.path}`);
    return bytes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface DownloadWheel {
  readonly folder: string;
  readonly clients: readonly PackageClient[];
  readonly signal: AbortSignal | undefined;
}

/** Tries the clients until one of them is installed. */
async function downloadWheel(name: string, { folder, clients, signal }: DownloadWheel): Promise<void> {
  // `--only-binary` refuses source archives, whose set-up would run.
  const options = ['download', '--no-deps', '--only-binary', ':all:', '--no-input', '--dest', folder];
  const patience = ['--retries', '1', '--timeout', '15'];
  for (const { command, args } of clients) {
    try {
      await promisify(execFile)(command, [...args, ...options, ...patience, name], { signal });
      return;
    } catch (error) {
      if (!isNotInstalled(error as ExecError)) {
        throw new Error(`pip could not download ${name}: ${causeOf(error as ExecError)}`);
      }
    }
  }
  throw new Error(`there is no pip to download ${name}`);
}

type ExecError = Error & { readonly code?: string | number; readonly stderr?: string };

const isNotInstalled = ({ code, stderr = '' }: ExecError) =>
  code === 'ENOENT' || /No module named pip/.test(stderr);

/** Both pip and uv write lines that begin with `error:`, the cause first. */
function causeOf({ message, stderr = '' }: ExecError): string {
  const [, cause] = /^error: (.*)$/im.exec(stderr) ?? [];
  return cause ?? message.split('\n')[0] ?? '';
}
