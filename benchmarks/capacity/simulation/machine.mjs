/**
 * A machine: cores that all runnable threads share, and threads with one task at a time. The scheduler is fair at every
 * moment (processor sharing, weighted by priority), as the kernel's is on average over a few milliseconds.
 */

/** @typedef {import('./timeline.mjs').Timeline} Timeline */
/** @typedef {'normal' | 'low'} Priority */
/** @typedef {{ workMs: number, done: () => void }} Task */

/** Relative shares of a core: Linux gives a thread with a nice value of 5 about a third (sched(7)). */
const WEIGHTS = Object.freeze({ normal: 1024, low: 335 });

/** Running threads of one priority, all at the same speed. */
class Peers {
  /** Each with the value of `given` at which it ends. @type {Set<{ until: number, done: () => void }>} */
  running = new Set();
  /** Milliseconds of work that a thread would have got since the start if it had always been runnable. */
  given = 0;
  /** Current work per millisecond of each. */
  rate = 0;

  /** Value of `given` at which the first of them ends. */
  get next() {
    let next = Number.POSITIVE_INFINITY;
    for (const { until } of this.running) next = Math.min(next, until);
    return next;
  }
}

export class Machine {
  #peers = { normal: new Peers(), low: new Peers() };
  #since = 0;
  #cancel = () => {};
  /** Core-milliseconds in use. */
  busyMs = 0;

  /**
   * @param {Timeline} timeline
   * @param {{ cores: number, sharedSpeed?: number }} options `sharedSpeed`: of a core when all are busy, relative to a
   *   single busy one. Shared caches, memory and execution units make it lower, warm caches higher. Default 1.
   */
  constructor(timeline, { cores, sharedSpeed = 1 }) {
    this.timeline = timeline;
    this.cores = cores;
    this.sharedSpeed = sharedSpeed;
  }

  /**
   * Runs a thread until it has got `workMs` of a core that is busy alone.
   * @param {number} workMs at least 0
   * @param {() => void} done
   * @param {Priority} [priority]
   */
  execute(workMs, done, priority = 'normal') {
    this.#advance();
    const peers = this.#peers[priority];
    peers.running.add({ until: peers.given + workMs, done });
    this.#plan();
  }

  get #threads() {
    return this.#peers.normal.running.size + this.#peers.low.running.size;
  }

  /** Divides the cores by weight. A thread gets at most one core; the others share the rest. */
  #share() {
    const { normal, low } = this.#peers;
    const [many, few] = [normal.running.size, low.running.size];
    const busy = Math.min(many + few, this.cores);
    const slowed = this.cores > 1 ? (busy - 1) / (this.cores - 1) : 0;
    const speed = 1 - Math.max(0, slowed) * (1 - this.sharedSpeed);
    const part = this.cores / (many * WEIGHTS.normal + few * WEIGHTS.low);
    const ofNormal = Math.min(1, part * WEIGHTS.normal);
    normal.rate = speed * ofNormal;
    low.rate = few > 0 ? speed * Math.min(1, (this.cores - many * ofNormal) / few) : 0;
  }

  #advance() {
    const passed = this.timeline.now() - this.#since;
    this.#since = this.timeline.now();
    if (this.#threads === 0) return;
    for (const peers of Object.values(this.#peers)) peers.given += passed * peers.rate;
    this.busyMs += passed * Math.min(this.#threads, this.cores);
  }

  #plan() {
    this.#cancel();
    if (this.#threads === 0) return;
    this.#share();
    const ends = Object.values(this.#peers)
      .filter(({ running }) => running.size > 0)
      .map((peers) => ({
        peers,
        next: peers.next,
        delayMs: Math.max(0, peers.next - peers.given) / peers.rate,
      }));
    const { peers, next, delayMs } = ends.reduce((a, b) => (b.delayMs < a.delayMs ? b : a));
    this.#cancel = this.timeline.setTimer(() => this.#end(peers, next), delayMs);
  }

  /** @param {Peers} peers @param {number} until */
  #end(peers, until) {
    this.#advance();
    // Rounding errors of the sums must not keep a thread alive.
    peers.given = Math.max(peers.given, until);
    const ended = [...peers.running].filter((one) => one.until <= peers.given);
    for (const one of ended) peers.running.delete(one);
    this.#plan();
    for (const { done } of ended) done();
  }
}

/** Threads with one FIFO queue: an event loop, or a pool such as libuv's. */
export class Threads {
  /** @type {Task[]} */
  #queue = [];
  #busy = 0;

  /** @param {Machine} machine @param {{ count?: number, priority?: Priority }} [options] */
  constructor(machine, { count = 1, priority = 'normal' } = {}) {
    this.machine = machine;
    this.count = count;
    this.priority = priority;
  }

  /** @param {number} workMs of a core @param {() => void} [done] */
  run(workMs, done = () => {}) {
    this.#queue.push({ workMs, done });
    this.#pump();
  }

  #pump() {
    while (this.#busy < this.count && this.#queue.length > 0) {
      const { workMs, done } = /** @type {Task} */ (this.#queue.shift());
      this.#busy += 1;
      this.machine.execute(
        workMs,
        () => {
          this.#busy -= 1;
          done();
          this.#pump();
        },
        this.priority,
      );
    }
  }
}
