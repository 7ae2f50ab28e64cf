// A part of the service that can be broken and restarted on the same ports with the same data.

import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from './wait.mjs';

const RETRY_MS = 200;
/** A part may be started while one of its dependencies is down for longer than a lease. */
const RESTART_TIMEOUT_MS = 600_000;

/** @template {import('./process.mjs').RunningProcess} [P=import('./process.mjs').RunningProcess] */
export class Part {
  /** @type {P | undefined} */
  #running;
  /** The start in progress. @type {Promise<P> | undefined} */
  #starting;
  #stopped = false;
  /** Each time the part was down after a crash, in ms of performance.now(). @type {{ part: string, from: number, to: number }[]} */
  outages = [];

  /**
   * @param {string} name
   * @param {() => Promise<P>} launch starts the process on the same ports, with the data of the last one
   */
  constructor(name, launch) {
    this.name = name;
    this.launch = launch;
  }

  /** The current process. @throws Error before the first start */
  get running() {
    if (!this.#running) throw new Error(`${this.name} was never started.`);
    return this.#running;
  }

  /** @returns {Promise<P>} */
  async start() {
    const starting = this.launch();
    this.#starting = starting;
    this.#running = await starting;
    return this.#running;
  }

  /** Starts the part, and retries while a part that it needs is unavailable. */
  async startUntilUp() {
    await waitUntil(
      `${this.name} is up`,
      async () => {
        if (this.#stopped) return true;
        return this.start();
      },
      { timeoutMs: RESTART_TIMEOUT_MS, intervalMs: RETRY_MS },
    );
  }

  kill = () => this.running.kill();
  freeze = () => this.running.freeze();
  thaw = () => this.running.thaw();

  /** Kills the part and starts it again. @param {number} [downMs] how long it stays down */
  async crash(downMs = 0) {
    const outage = { part: this.name, from: performance.now(), to: Number.POSITIVE_INFINITY };
    this.outages.push(outage);
    await this.kill();
    await delay(downMs);
    await this.startUntilUp();
    outage.to = performance.now();
  }

  /** Stops the part in an orderly way and starts it again. */
  async restart() {
    await this.running.stop();
    await this.startUntilUp();
  }

  /** Stops the part for good, and waits for a start in progress before it does. */
  async stop() {
    this.#stopped = true;
    await this.#starting?.catch(() => {}); // the caller of `start` gets the error
    await this.#running?.stop();
  }
}
