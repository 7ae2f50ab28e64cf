/**
 * Virtual time: a calendar of events. The clock jumps from event to event, so an hour of traffic passes in seconds, and
 * two runs with the same seed are identical.
 */

/** @typedef {{ at: number, order: number, callback: (() => void) | undefined }} Event */

/** Lets settled promises reach the code that awaits them. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Also the clock of the product's batcher (inference/src/batching/clock.ts). Times are milliseconds from 0. */
export class Timeline {
  /** A binary heap: the parent of `i` is at `(i - 1) >> 1`. @type {Event[]} */
  #heap = [];
  #now = 0;
  #order = 0;
  #promises = false;

  now() {
    return this.#now;
  }

  /**
   * Calls back once after `delayMs`. Simultaneous events keep their order.
   * @param {() => void} callback
   * @param {number} delayMs at least 0
   * @returns {() => void} cancels it
   */
  setTimer(callback, delayMs) {
    /** @type {Event} */
    const event = { at: this.#now + delayMs, order: this.#order++, callback };
    this.#push(event);
    return () => {
      event.callback = undefined;
    };
  }

  /** The current event settled a promise: time stands still until the code that awaits it has continued. */
  awaitPromises() {
    this.#promises = true;
  }

  /** Runs until the calendar is empty. */
  async run() {
    for (let event = this.#pop(); event; event = this.#pop()) {
      if (!event.callback) continue;
      this.#now = event.at;
      event.callback();
      while (this.#promises) {
        this.#promises = false;
        await settle();
      }
    }
  }

  /** @param {Event} event */
  #push(event) {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0 && before(event, heap[(at - 1) >> 1])) {
      heap[at] = heap[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    heap[at] = event;
  }

  /** @returns {Event | undefined} the next event */
  #pop() {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || first === last) return first;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child += 1;
      if (!before(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

/** @param {Event} a @param {Event} b */
const before = (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order);
