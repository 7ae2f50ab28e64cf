/** Line-by-line output with back-pressure. */
import type { Writable } from 'node:stream';

/** Writes lines one after the other, and waits for slow readers. */
export class LineWriter {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly to: Writable) {}

  /** Resolves when there is room for the next line, or when the reader has disconnected. */
  write(line: string): Promise<void> {
    this.last = this.last.then(() => this.put(line));
    return this.last;
  }

  private put(line: string): Promise<void> | undefined {
    const { to } = this;
    if (to.destroyed || to.errored || to.write(line)) return undefined;
    return new Promise((resolve) => {
      const done = () => {
        to.off('drain', done).off('close', done).off('error', done);
        resolve();
      };
      to.on('drain', done).on('close', done).on('error', done);
    });
  }
}
