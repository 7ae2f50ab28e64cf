// Spreads connections over the ready members of a tier, like a Service of Kubernetes: it probes readiness, removes
// members that are not ready, and does not look at requests. `takeOut` removes a member by name, as Kubernetes removes
// the endpoint of a terminating pod.

import { statusOf } from './http.mjs';
import { waitUntil } from './wait.mjs';

/** @typedef {{ name: string, port: number, readyUrl: string }} Member */

/** Kubernetes probes every 10 s by default, which is too long for a test. */
const PROBE_INTERVAL_MS = 250;
/** A tier under load responds late, but is not down. */
const PROBE_TIMEOUT_MS = 10_000;

export class Balancer {
  /** @type {Set<string>} */
  #ready = new Set();
  /** @type {Set<string>} */
  #takenOut = new Set();
  #next = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #closed = false;

  /**
   * @param {readonly Member[]} members
   * @param {number} [probeTimeoutMs] after which a member that does not respond is not ready
   */
  constructor(members, probeTimeoutMs = PROBE_TIMEOUT_MS) {
    this.members = members;
    this.probeTimeoutMs = probeTimeoutMs;
  }

  /** Probes all members once, and from then on repeatedly. */
  async watch() {
    await Promise.all(this.members.map((member) => this.#probe(member)));
    if (!this.#closed) this.#timer = setTimeout(() => this.watch(), PROBE_INTERVAL_MS);
  }

  /** Port of a member for the next connection; undefined when there is none. */
  target = () => {
    const ready = this.members.filter(({ name }) => this.#ready.has(name) && !this.#takenOut.has(name));
    return ready[this.#next++ % ready.length]?.port;
  };

  /** @param {string} name */
  takeOut(name) {
    this.#takenOut.add(name);
  }

  /** Resolves once the member is ready and gets connections again. @param {string} name */
  async putIn(name) {
    this.#takenOut.delete(name);
    await waitUntil(`${name} is ready`, () => this.#ready.has(name));
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** @param {Member} member */
  async #probe({ name, readyUrl }) {
    const status = await statusOf(readyUrl, { timeoutMs: this.probeTimeoutMs }).catch(() => 0);
    if (status === 200) this.#ready.add(name);
    else this.#ready.delete(name);
  }
}
