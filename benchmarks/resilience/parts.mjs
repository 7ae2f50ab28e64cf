/** Parts of a running service that are killed and come back at the same place, as under a supervisor. */

/** @typedef {Pick<import('../lib/process.mjs').RunningProcess, 'pid' | 'kill' | 'stop' | 'freeze' | 'thaw'>} Running */

const RETRY_MS = 200;

export class Part {
  /**
   * @param {string} name
   * @param {() => Promise<Running>} start begins it anew, with what it left
   */
  constructor(name, start) {
    this.name = name;
    this.start = start;
    /** @type {Running | undefined} */
    this.process = undefined;
    /** Of every time that it was away: when it was killed and when it was ready again, in ms of performance.now(). */
    /** @type {{ part: string, from: number, to: number }[]} */
    this.absences = [];
    this.stopped = false;
  }

  async begin() {
    this.process = await this.start();
  }

  /** @param {number} downMs until it is started again; resolves when it is ready */
  async crash(downMs) {
    const absence = { part: this.name, from: performance.now(), to: Number.POSITIVE_INFINITY };
    this.absences.push(absence);
    await this.process?.kill();
    await new Promise((resolve) => setTimeout(resolve, downMs));
    await this.beginUntilUp();
    absence.to = performance.now();
  }

  async stop() {
    this.stopped = true;
    await this.process?.stop();
  }

  /** The process that is there now. @throws Error before the first `begin` */
  get running() {
    if (!this.process) throw new Error(`${this.name} was never started`);
    return this.process;
  }

  /** A part may end at once while another that it needs is away; a supervisor tries again, and so does this. */
  async beginUntilUp() {
    for (;;) {
      try {
        await this.begin();
        return;
      } catch (error) {
        if (this.stopped) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}

/**
 * Kills at random times, as often each part, and lets some stay away for longer than the lease of an operation.
 * @param {readonly Part[]} parts
 * @param {{ kills: number, random: ReturnType<typeof import('../lib/random.mjs').randomFrom>, longDownMs: number, log: (line: string) => void }} options
 */
export async function havoc(parts, { kills, random, longDownMs, log }) {
  const order = random.shuffled(Array.from({ length: kills }, (_, i) => i));
  /** @type {Map<Part, Promise<void>>} */
  const away = new Map();
  for (const [number, place] of order.entries()) {
    await new Promise((resolve) => setTimeout(resolve, random.whole(500, 5_000)));
    const part = parts[place % parts.length];
    await away.get(part);
    // Long only where another one serves meanwhile, or there would be nothing to lose for most of the time.
    const long = place % 5 === 0 && part.name.startsWith('gateway');
    const downMs = long ? longDownMs : random.whole(0, 2_000);
    log(`kill ${number + 1} of ${kills}: ${part.name}, for ${downMs} ms`);
    away.set(part, part.crash(downMs));
  }
  await Promise.all(away.values());
}
