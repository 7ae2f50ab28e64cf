/** The thread died under what it was given: nothing is known to be wrong with that, and it may be asked for again. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLostError';
  constructor(cause: unknown) {
    super('The worker died', { cause });
  }
}
