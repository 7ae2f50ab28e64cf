/** Rejects a request of an operator, with a sentence that says why. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    /** Its code in the contract's catalogue. */
    readonly code: 'INVALID_PARAMETERS' | 'NOT_FOUND' = 'INVALID_PARAMETERS',
  ) {
    super(message);
  }
}
