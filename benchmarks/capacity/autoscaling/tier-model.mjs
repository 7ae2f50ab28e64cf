/**
 * The inference tier as a fluid. Each ready pod gets an equal share of the requests, serves them at its measured rate, and
 * refuses what exceeds its queue (INFERENCE_MAX_QUEUE). Connections live for seconds under load (inference/src/main.ts),
 * so a new pod gets its share at once, and queued requests stay with their pod. A pod that ends still serves its queue.
 *
 * The time in models is proportional to the throughput: a worker of a busy pod never waits, and spends the models' part of
 * its time in models.
 */

/** @typedef {{ perSecond: number, maxQueue: number, workers: number, modelShare: number }} Pod */

export class TierModel {
  #pod;
  /** @type {Map<string, number>} queued requests by ready pod */
  #queues = new Map();
  served = 0;
  refused = 0;
  /** Seconds that workers spent in models. */
  modelSeconds = 0;

  /** @param {Pod} pod `modelShare`: of a busy worker's time */
  constructor(pod) {
    this.#pod = pod;
  }

  get queue() {
    return [...this.#queues.values()].reduce((sum, queued) => sum + queued, 0);
  }

  get threads() {
    return this.#queues.size * this.#pod.workers;
  }

  /**
   * @param {object} step
   * @param {number} step.seconds
   * @param {number} step.requests that arrive in this time
   * @param {readonly string[]} step.ready names of pods
   */
  advance({ seconds, requests, ready }) {
    const { perSecond, maxQueue, workers, modelShare } = this.#pod;
    const names = new Set(ready);
    for (const [name, queued] of this.#queues) {
      if (names.has(name)) continue;
      this.served += queued;
      this.#queues.delete(name);
    }
    if (names.size === 0) {
      this.refused += requests;
      return;
    }
    for (const name of names) {
      const waiting = (this.#queues.get(name) ?? 0) + requests / names.size;
      const served = Math.min(waiting, perSecond * seconds);
      const queued = Math.min(waiting - served, maxQueue);
      this.#queues.set(name, queued);
      this.served += served;
      this.refused += waiting - served - queued;
      this.modelSeconds += (served / perSecond) * workers * modelShare;
    }
  }
}

/**
 * The pod of the capacity plan: two measured cores with a worker each.
 * @param {any} times data of capacity/service-times
 * @param {number} maxQueue
 * @returns {Pod}
 */
export function measuredPod({ workers, operations: { detect } }, maxQueue) {
  const modelMs = Object.values(detect.modelMs).reduce((sum, ms) => sum + ms, 0);
  return {
    perSecond: (1e3 * workers) / detect.together.tierMs,
    maxQueue,
    workers,
    modelShare: modelMs / detect.tier.workerMs,
  };
}
