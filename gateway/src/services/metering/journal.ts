/**
 * Keeps commits on disk while the store is unavailable. Each line is one commit, numbered within its file. The store
 * counts each number of a file once, so a file can be replayed any number of times. The gateway writes a line before it
 * sends the response. The journal survives the process, but not the loss of the machine.
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
import { bounds } from '../../bounds';
import { randomBase62 } from '../../crypto/base62';
import type { LateCommit } from './metering-store';

/** About 150,000 commits. When the journal is full, operations that cannot be metered are rejected. */
const maxBytes = bounds.journalBytes;

const extension = '.journal';
/** The file of rejected commits, for operators to inspect. */
const rejected = 'rejected';

/** Resolves to false if the commit can never be counted; the journal then sets it aside. Throws to stop the replay. */
export type Replay = (journal: string, sequence: number, late: LateCommit) => Promise<boolean>;

export class Journal {
  private file: { readonly name: string; readonly fd: number } | undefined;
  private replaying: Promise<void> | undefined;
  /** Size of all files together. */
  private bytes: number;
  private lines: number;

  /** @param folder of this process alone, created with the first line. It may contain files of an earlier process. */
  constructor(private readonly folder: string) {
    this.bytes = this.files().reduce((sum, name) => sum + this.sizeOf(name), 0);
    this.lines = this.files().reduce((sum, name) => sum + this.linesOf(name).length, 0);
  }

  /** Bytes of commits that wait to be counted. */
  get pendingBytes(): number {
    return this.bytes;
  }

  /** Commits that wait to be counted. While a file is replayed, all of its commits count as waiting. */
  get pending(): number {
    return this.lines;
  }

  /** When the oldest file was created: no commit has waited longer. Undefined if none waits. */
  get oldestAt(): Date | undefined {
    const [oldest] = this.files();
    return oldest === undefined ? undefined : begunAt(oldest);
  }

  /** Bytes of commits that can never be counted, set aside until an operator removes them. */
  get rejectedBytes(): number {
    return statSync(join(this.folder, rejected), { throwIfNoEntry: false })?.size ?? 0;
  }

  hasRoom(): boolean {
    return this.bytes < maxBytes;
  }

  /** @throws Error if the write fails; the response must then fail too. */
  append(late: LateCommit): void {
    this.file ??= this.create();
    const { fd } = this.file;
    const line = Buffer.from(`${JSON.stringify(late)}\n`);
    const { size } = fstatSync(fd);
    try {
      appendFileSync(fd, line);
    } catch (error) {
      // An incomplete line would corrupt the next one.
      ftruncateSync(fd, size);
      throw error;
    }
    this.bytes += line.length;
    this.lines += 1;
  }

  /** Replays the lines on disk, oldest first. Stops at the first that cannot be counted now, and keeps the rest. */
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
        // From here on, new lines go to the next file.
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

  /** Text after the last line break is an incomplete write, whose response was never sent. */
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
