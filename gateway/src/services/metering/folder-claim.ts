/**
 * Claims a folder for one process. Two that write journals into one folder would count and remove each other's. A
 * file in it names its owner, who is asked for as far as that is possible: on the same host whether it runs, on
 * another by the file's age, which the owner keeps young.
 */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

interface Owner {
  readonly host: string;
  readonly pid: number;
  /** When the process started, as the system says it; pids are used again. Empty where it does not say. */
  readonly started: string;
}

const beatMs = 2_000;
/** An owner on another host that did not touch its file for so long is gone. */
const goneMs = 15_000;

/**
 * @returns what gives the folder free.
 * @throws Error with a sentence, when another process has it or it cannot be written.
 */
export function claimFolder(folder: string): () => void {
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

/** Where there is a /proc: the start time, field 22 of stat; the name before it may hold anything but its last `)`. */
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
