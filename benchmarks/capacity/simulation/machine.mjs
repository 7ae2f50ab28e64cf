/**
 * A machine: cores that all runnable threads share, and threads that do one thing after the other. The scheduler is
 * taken as fair at every moment (processor sharing, weighted by priority), which is what the kernel's comes to at its
 * few milliseconds.
 */

/** @typedef {import('./timeline.mjs').Timeline} Timeline */
/** @typedef {'normal' | 'low'} Priority */

/** Shares of a core against each other: Linux gives a thread that is 5 steps less urgent about a third (sched(7)). */
const WEIGHTS = Object.freeze({ normal: 1024, low: 335 });

/** Threads of one priority that run, all at the same speed. */
class Peers {
  /** By the work that each thread will have been given when it ends. @type {Set<{ until: number, done: () => void }>} */
  running = new Set();
  /** Milliseconds of work that such a thread would have been given since the start, had it always been runnable. */
  given = 0;
  /** Work a millisecond that each is given now. */
  rate = 0;

  /** Given when the first of them ends. */
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
  /** Core-milliseconds that were in use. */
  busyMs = 0;

  /**
   * @param {Timeline} timeline
   * @param {{ cores: number, sharedSpeed?: number }} options `sharedSpeed`: of a core when all are busy, against one
   *   that is busy alone. Cores share caches, memory and often an execution unit, which makes it less; what would grow
   *   cold in a pause stays warm, which makes it more. Default 1.
   */
  constructor(timeline, { cores, sharedSpeed = 1 }) {
    this.timeline = timeline;
    this.cores = cores;
    this.sharedSpeed = sharedSpeed;
  }

  /**
   * Runs a thread until it has had `workMs` of a core that is busy alone.
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

  /** Shares the cores out: by weight, but no thread has more than one core, and what it leaves is the others'. */
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
    // What was aimed at is reached, whatever the last digits of the sums say.
    peers.given = Math.max(peers.given, until);
    const ended = [...peers.running].filter((one) => one.until <= peers.given);
    for (const one of ended) peers.running.delete(one);
    this.#plan();
    for (const { done } of ended) done();
  }
}

/** One or several threads with one queue, first in, first out: an event loop, or a pool such as libuv's. */
export class Threads {
  /** @type {{ workMs: number, done: () => void }[]} */
  #queue = [];
  #next = 0;
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
    while (this.#busy < this.count && this.#next < this.#queue.length) {
      const { workMs, done } = this.#take();
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

  #take() {
    const first = this.#queue[this.#next++];
    // Shifting an array one by one costs its length each time; so it is cut now and then.
    if (this.#next > 1024) {
      this.#queue.splice(0, this.#next);
      this.#next = 0;
    }
    return first;
  }
}
