// The only writer of a script's output. It writes whole lines and, on a terminal, a last line with the current steps;
// other lines appear above it.

export class Terminal {
  #stream;
  #status = '';
  /** @type {Map<unknown, string>} */
  #statuses = new Map();

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

  /**
   * Replaces the part of the last line that belongs to `owner`, on a terminal only.
   * @param {unknown} owner any value that no other step uses, since steps may run side by side
   * @param {string} text empty to remove it
   */
  status(owner, text) {
    if (!this.isInteractive || (text === '' && !this.#statuses.has(owner))) return;
    if (text === '') this.#statuses.delete(owner);
    else this.#statuses.set(owner, text);
    // The terminal cannot erase a line that wraps.
    this.#status = [...this.#statuses.values()].join('  |  ').slice(0, (this.#stream.columns || 80) - 1);
    this.#stream.write(`${ERASE_LINE}${this.#status}`);
  }
}

const ERASE_LINE = '\r\x1b[2K';
