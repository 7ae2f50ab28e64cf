// The only writer of a script's output. It writes whole lines and, on a terminal, a last line with the current step;
// other lines appear above it.

export class Terminal {
  #stream;
  #status = '';

  /** @param {{ write: (text: string) => unknown, isTTY?: boolean, columns?: number }} stream */
  constructor(stream = process.stdout) {
    this.#stream = stream;
  }

  /** Whether the output goes to a terminal, not to a file or another program. */
  get isInteractive() {
    return this.#stream.isTTY === true;
  }

  /** @param {string} text one or more whole lines, without the last line break */
  line(text) {
    this.#stream.write(this.#status ? `${ERASE_LINE}${text}\n${this.#status}` : `${text}\n`);
  }

  /** @param {string} text replaces the last line until the next call; on a terminal only */
  status(text) {
    if (!this.isInteractive || (text === '' && this.#status === '')) return;
    // The terminal cannot erase a line that wraps.
    this.#status = text.slice(0, (this.#stream.columns || 80) - 1);
    this.#stream.write(`${ERASE_LINE}${this.#status}`);
  }
}

const ERASE_LINE = '\r\x1b[2K';
