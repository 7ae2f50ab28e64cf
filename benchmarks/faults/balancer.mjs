/**
 * Spreads connections over the members of a tier that are ready, as a Service of Kubernetes does: it looks at each
 * one's readiness, takes out who is not, and knows nothing of requests. Members can also be taken out by name, as the
 * endpoints of a pod that is about to end are before its SIGTERM.
 */

/** @typedef {{ name: string, port: number, readyUrl: string }} Member */

/** Kubernetes looks every 10 s by default; here a rehearsal should not have to wait for that. */
const LOOK_EVERY_MS = 250;
const LOOK_LIMIT_MS = 1_000;

export class Balancer {
  /** @type {Set<string>} */
  #ready = new Set();
  /** @type {Set<string>} */
  #takenOut = new Set();
  #turn = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #closed = false;

  /** @param {readonly Member[]} members */
  constructor(members) {
    this.members = members;
  }

  /** Looks once, and from then on again and again. */
  async watch() {
    await Promise.all(this.members.map((member) => this.#look(member)));
    if (!this.#closed) this.#timer = setTimeout(() => this.watch(), LOOK_EVERY_MS);
  }

  /** Port of a member for the next connection; undefined when there is none. */
  target = () => {
    const ready = this.members.filter(({ name }) => this.#ready.has(name) && !this.#takenOut.has(name));
    return ready.length > 0 ? ready[this.#turn++ % ready.length].port : undefined;
  };

  /** @param {string} name */
  takeOut(name) {
    this.#takenOut.add(name);
  }

  /** Resolves once it is ready, and gets connections again. @param {string} name */
  async putIn(name) {
    this.#takenOut.delete(name);
    while (!this.#ready.has(name)) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS / 5));
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** @param {Member} member */
  async #look({ name, readyUrl }) {
    const signal = AbortSignal.timeout(LOOK_LIMIT_MS);
    const answer = await fetch(readyUrl, { signal }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => {});
    if (answer?.status === 200) this.#ready.add(name);
    else this.#ready.delete(name);
  }
}
