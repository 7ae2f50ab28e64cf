/**
 * What was used while the store could not be told, on disk until it can. A line for each commit, numbered within its
 * file; the store counts each number of a file once, so it may be replayed as often as it takes. A line is written
 * before the answer goes out. It survives the end of the process, not the loss of the machine.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomBase62 } from '../../crypto/base62';
import type { LateCommit } from './metering-store';

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
  private bytes: number;
  private lines: number;

  /** @param folder of this process alone; it is made with the first line, and may hold what an earlier one left. */
  constructor(private readonly folder: string) {
    this.bytes = this.files().reduce((sum, name) => sum + this.sizeOf(name), 0);
    this.lines = this.files().reduce((sum, name) => sum + this.linesOf(name).length, 0);
  }

  /** Bytes that wait to be counted. */
  get pendingBytes(): number {
    return this.bytes;
  }

  /** Commits that wait to be counted. Those of a file that is replayed at the moment wait until all of it is. */
  get pending(): number {
    return this.lines;
  }

  /** When the oldest file was begun, so no commit waits for longer; undefined when none waits. */
  get oldestAt(): Date | undefined {
    const [oldest] = this.files();
    return oldest === undefined ? undefined : begunAt(oldest);
  }

  /** Bytes that can never be counted and were kept aside, until an operator takes them away. */
  get rejectedBytes(): number {
    return statSync(join(this.folder, rejected), { throwIfNoEntry: false })?.size ?? 0;
  }

  hasRoom(): boolean {
    return this.bytes < maxBytes;
  }

  /** @throws Error when it cannot be written: then the work may not be answered either. */
  append(late: LateCommit): void {
    this.file ??= this.create();
    const { fd } = this.file;
    const line = Buffer.from(`${JSON.stringify(late)}\n`);
    const { size } = fstatSync(fd);
    try {
      appendFileSync(fd, line);
    } catch (error) {
      // Half a line would spoil the next one.
      ftruncateSync(fd, size);
      throw error;
    }
    this.bytes += line.length;
    this.lines += 1;
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
    for (const name of this.files()) {
      let sequence = 0;
      if (name === this.file?.name) {
        const [first] = this.linesOf(name);
        if (first === undefined) continue;
        await this.replayLine(name, sequence++, first, replay);
        // It is known by now that this file can be counted: new lines go to another one.
        this.close();
      }
      for (const line of this.linesOf(name).slice(sequence)) {
        await this.replayLine(name, sequence++, line, replay);
      }
      this.bytes -= this.sizeOf(name);
      this.lines -= sequence;
      rmSync(join(this.folder, name));
    }
  }

  private async replayLine(name: string, sequence: number, line: string, replay: Replay): Promise<void> {
    const late = parse(line);
    const counted = late && (await replay(name.slice(0, -extension.length), sequence, late));
    if (!counted) appendFileSync(join(this.folder, rejected), `${line}\n`, { mode: 0o600 });
  }

  /** What follows the last line break was cut off while it was written: its answer never went out. */
  private linesOf(name: string): string[] {
    return readFileSync(join(this.folder, name), 'utf8').split('\n').slice(0, -1);
  }

  private sizeOf(name: string): number {
    return statSync(join(this.folder, name)).size;
  }

  /** Oldest first: their names begin with their time. */
  private files(): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .filter((name) => name.endsWith(extension))
      .sort();
  }

  private create() {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const name = `${new Date().toISOString().replaceAll(/[^\dTZ]/g, '')}-${randomBase62(8)}${extension}`;
    return { name, fd: openSync(join(this.folder, name), 'ax', 0o600) };
  }
}

/** @param name of a file, which begins with `20261231T235959123Z` */
function begunAt(name: string): Date {
  return new Date(name.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)(\d{3}Z).*$/, '$1-$2-$3:$4:$5.$6'));
}

function parse(line: string): LateCommit | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
