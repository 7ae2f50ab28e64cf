/** The worker's thread died during a task. The task itself may be fine, so a retry makes sense. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLostError';
  constructor(cause: unknown) {
    super('The worker died', { cause });
  }
}
