/**
 * Claims a folder for one process. Two processes with journals in one folder would bill and delete each other's entries.
 * A file in the folder names its owner. A claim checks whether the owner is still alive: on the same host by its process
 * id, on another host by the age of the file, which the owner touches regularly.
 */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

interface Owner {
  readonly host: string;
  readonly pid: number;
  /** When the process started, because pids are reused. Empty if the system does not report it. */
  readonly started: string;
}

const beatMs = 2_000;
/** An owner on another host is gone if it has not touched its file for this long. */
const goneMs = 15_000;

/**
 * @returns a function that releases the folder.
 * @throws Error, a sentence for the operator, if another process holds the folder or it cannot be written.
 */
export function claimJournalFolder(folder: string): () => void {
  const file = join(folder, 'owner');
  const me: Owner = { host: hostname(), pid: process.pid, started: startOf(process.pid) };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const owner = read(file);
    if (owner && isAlive(owner, file, me)) {
      throw new Error(`process ${owner.pid} on ${owner.host} uses it`);
    }
    writeFileSync(file, JSON.stringify(me), { mode: 0o600 });
  } catch (cause) {
    throw new Error(`The folder ${folder} cannot be used: ${(cause as Error).message}`, { cause });
  }
  const beat = setInterval(() => touch(file), beatMs).unref();
  return () => {
    clearInterval(beat);
    rmSync(file, { force: true });
  };
}

function read(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(owner: Owner, file: string, me: Owner): boolean {
  if (owner.host !== me.host) return Date.now() - statSync(file).mtimeMs < goneMs;
  if (owner.pid === me.pid) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return owner.started === startOf(owner.pid);
}

/** The start time on systems with /proc: field 22 of stat. The name before it may contain spaces and parentheses. */
function startOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.split(' ')[20] ?? '';
  } catch {
    return '';
  }
}

function touch(file: string): void {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // If the folder was deleted, the next line of the journal fails.
  }
}
