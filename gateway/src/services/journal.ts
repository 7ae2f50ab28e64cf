/**
 * What was used while the store could not be told, on disk until it can. One file per process start, one line per
 * commit, numbered; the store counts each number of a journal once, so a file may be replayed as often as it takes.
 * A line is written before the answer goes out. It survives the end of the process, not the loss of the machine.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomBase62 } from './base62';
import type { LateCommit } from './metering';

/** About 150,000 commits. Beyond it, what cannot be metered is not run. */
const maxBytes = 64 * 1024 * 1024;

const extension = '.journal';
/** For an operator to look at. */
const rejected = 'rejected';

/** Answers whether it was counted; what never can be is kept aside. It throws to stop. */
export type Replay = (journal: string, sequence: number, late: LateCommit) => Promise<boolean>;

export class Journal {
  private file: { readonly name: string; readonly fd: number } | undefined;
  private replaying: Promise<void> | undefined;
  /** Of all files together. */
  private bytes = 0;

  /** @param folder of this process alone; it is made with the first line, and may hold what an earlier one left. */
  constructor(private readonly folder: string) {
    this.bytes = this.files().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  }

  hasRoom(): boolean {
    return this.bytes < maxBytes;
  }

  /** @throws Error when it cannot be written: then the work may not be answered either. */
  append(late: LateCommit): void {
    this.file ??= this.create();
    const { fd } = this.file;
    const line = Buffer.from(`${JSON.stringify(late)}\n`);
    appendFileSync(fd, line);
    this.bytes += line.length;
  }

  /** Whether something waits to be counted. */
  isPending(): boolean {
    return this.file !== undefined || this.files().length > 0;
  }

  /** Counts what is on disk, oldest line first; stops at the first that cannot be counted and keeps the rest. */
  replay(replay: Replay): Promise<void> {
    this.replaying ??= this.replayAll(replay).finally(() => {
      this.replaying = undefined;
    });
    return this.replaying;
  }

  close(): void {
    if (this.file) closeSync(this.file.fd);
    this.file = undefined;
  }

  private async replayAll(replay: Replay): Promise<void> {
    // New lines go to a new file from here on; what is replayed does not change any more.
    this.close();
    for (const name of this.files()) {
      const path = join(this.folder, name);
      const lines = readFileSync(path, 'utf8').split('\n');
      // What follows the last line break was cut off while it was written: its answer never went out.
      for (const [sequence, line] of lines.slice(0, -1).entries()) {
        const counted = await replay(name.slice(0, -extension.length), sequence, JSON.parse(line));
        if (!counted) appendFileSync(join(this.folder, rejected), `${line}\n`, { mode: 0o600 });
      }
      this.bytes -= statSync(path).size;
      rmSync(path);
    }
  }

  private files(): string[] {
    if (!existsSync(this.folder)) return [];
    const open = this.file?.name;
    return readdirSync(this.folder).filter((name) => name.endsWith(extension) && name !== open);
  }

  private create() {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const name = `${randomBase62(16)}${extension}`;
    return { name, fd: openSync(join(this.folder, name), 'ax', 0o600) };
  }
}
