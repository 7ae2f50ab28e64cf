/** Why an item was not computed. None of these says that anything is broken. */

/** No room, or not in time: the caller should come back later. */
export class OverloadError extends Error {
  override readonly name = 'OverloadError';
  constructor(
    /** `full`: the queue is full; `deadline`: the item would miss its deadline; `draining`: the process stops. */
    readonly reason: 'full' | 'deadline' | 'draining',
    /** When trying again is worth it, in whole seconds, at least 1. */
    readonly retryAfterSeconds: number,
  ) {
    super(`Refused: ${reason}`);
  }
}

/** The deadline passed before the item's turn came. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  constructor() {
    super('The deadline passed before a worker was free');
  }
}

/** Nobody waits for the answer any more. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError';
  constructor() {
    super('The caller left before a worker was free');
  }
}
