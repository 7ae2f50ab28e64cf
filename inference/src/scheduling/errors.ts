/** Reasons why an item has no result. None of them is a defect. */

/** The queue is full, or the item would be late: the caller should retry later. */
export class OverloadError extends Error {
  override readonly name = 'OverloadError';
  constructor(
    /** `full`: the queue is full; `deadline`: the item would miss its deadline; `draining`: the process is shutting down. */
    readonly reason: 'full' | 'deadline' | 'draining',
    /** Time until a retry makes sense, in whole seconds, at least 1. */
    readonly retryAfterSeconds: number,
  ) {
    super(`Refused: ${reason}`);
  }
}

/** The deadline passed before the item had a result. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  constructor(
    /** The cost of the item until then: milliseconds of the device. */
    readonly busyMs = 0,
  ) {
    super('The deadline passed before the models had run');
  }
}

/** The caller disconnected before the item had a result. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError';
  constructor(
    /** The cost of the item until then: milliseconds of the device. */
    readonly busyMs = 0,
  ) {
    super('The caller disconnected before the result');
  }
}
