import { AppError, type AppErrorOptions, type ErrorBody, type ErrorCode } from './index';

/** Rejects a request of an operator, with a sentence that says why. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    /** Its code in the contract's catalogue. */
    readonly code: ErrorCode = 'INVALID_PARAMETERS',
    private readonly options: AppErrorOptions = {},
  ) {
    super(message);
  }

  /** The error for a caller with an API key, with the text of the catalogue. */
  get publicError(): AppError {
    return new AppError(this.code, this.options);
  }

  /** The same error for operators and the console. Its sentence may name their settings. */
  get body(): ErrorBody {
    return { ...this.publicError.body, message: this.message };
  }
}
