/**
 * Virtual time: a calendar of events. The clock jumps from event to event, so an hour of traffic passes in seconds, and
 * two runs with the same seed are identical.
 */
import { bisector } from 'd3-array';

/** @typedef {{ at: number, callback: (() => void) | undefined }} Event */

const byTime = bisector((/** @type {Event} */ { at }) => at);

/** Lets settled promises reach the code that awaits them. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Also the clock of the product's scheduler (inference/src/scheduling/clock.ts). Times are milliseconds from 0. */
export class Timeline {
  /** The earliest first. @type {Event[]} */
  #calendar = [];
  #now = 0;
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
    const event = { at: this.#now + delayMs, callback };
    this.#calendar.splice(byTime.right(this.#calendar, event.at), 0, event);
    return () => {
      event.callback = undefined;
    };
  }

  /** Call it when an event settles a promise: time stands still until the code that awaits it has continued. */
  awaitPromises() {
    this.#promises = true;
  }

  /** Runs until the calendar is empty. */
  async run() {
    for (let event = this.#calendar.shift(); event; event = this.#calendar.shift()) {
      if (!event.callback) continue;
      this.#now = event.at;
      event.callback();
      while (this.#promises) {
        this.#promises = false;
        await settle();
      }
    }
  }
}
