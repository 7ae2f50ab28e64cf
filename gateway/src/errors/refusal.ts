/** What cannot be done as it was asked for, in a sentence for the operator who asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    /** What it is called where a code of the contract's catalogue is needed. */
    readonly code: 'INVALID_PARAMETERS' | 'NOT_FOUND' = 'INVALID_PARAMETERS',
  ) {
    super(message);
  }
}
