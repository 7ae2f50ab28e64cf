/**
 * A machine: cores that all runnable threads share, and threads that do one thing after the other. The scheduler is
 * taken as fair at every moment (processor sharing), which is what the kernel's comes to at its few milliseconds.
 */

/** @typedef {import('./timeline.mjs').Timeline} Timeline */
/** @typedef {{ until: number, done: () => void }} Running */

export class Machine {
  /** What runs, by the work that each thread will have been given when it ends. @type {Set<Running>} */
  #running = new Set();
  /** Milliseconds of work that a thread would have been given since the start, had it always been runnable. */
  #given = 0;
  #since = 0;
  #cancel = () => {};
  /** Core-milliseconds that were in use. */
  busyMs = 0;

  /**
   * @param {Timeline} timeline
   * @param {{ cores: number, sharedSpeed?: number }} options `sharedSpeed`: of a core when all are busy, against one
   *   that is busy alone; cores share caches, memory and often an execution unit. Default 1.
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
   */
  execute(workMs, done) {
    this.#advance();
    this.#running.add({ until: this.#given + workMs, done });
    this.#plan();
  }

  /** Work a millisecond that each runnable thread gets. */
  get #rate() {
    const threads = this.#running.size;
    const busy = Math.min(threads, this.cores);
    const slowed = this.cores > 1 ? (busy - 1) / (this.cores - 1) : 0;
    return (busy / threads) * (1 - slowed * (1 - this.sharedSpeed));
  }

  #advance() {
    const now = this.timeline.now();
    if (this.#running.size > 0) {
      this.#given += (now - this.#since) * this.#rate;
      this.busyMs += (now - this.#since) * Math.min(this.#running.size, this.cores);
    }
    this.#since = now;
  }

  #plan() {
    this.#cancel();
    let next = Number.POSITIVE_INFINITY;
    for (const { until } of this.#running) next = Math.min(next, until);
    if (this.#running.size === 0) return;
    this.#cancel = this.timeline.setTimer(
      () => this.#end(next),
      Math.max(0, next - this.#given) / this.#rate,
    );
  }

  /** @param {number} until */
  #end(until) {
    this.#advance();
    // What was aimed at is reached, whatever the last digits of the sums say.
    this.#given = Math.max(this.#given, until);
    const ended = [...this.#running].filter((one) => one.until <= this.#given);
    for (const one of ended) this.#running.delete(one);
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

  /** @param {Machine} machine @param {number} [count] */
  constructor(machine, count = 1) {
    this.machine = machine;
    this.count = count;
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
      this.machine.execute(workMs, () => {
        this.#busy -= 1;
        done();
        this.#pump();
      });
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
