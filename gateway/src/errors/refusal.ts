import { AppError, type AppErrorOptions, type ErrorCode } from './index';

/** Rejects a request of an operator, with a sentence that says why. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    /** Its code in the contract's catalogue. */
    readonly code: 'INVALID_PARAMETERS' | 'NOT_FOUND' | 'PERMISSION_DENIED' = 'INVALID_PARAMETERS',
    /** The error of the same request by API key, where its code or text is more precise. */
    private readonly byKey: AppErrorOptions & { readonly code?: ErrorCode } = {},
  ) {
    super(message);
  }

  /** The error for a caller with an API key. The sentence for operators may name their settings. */
  get publicError(): AppError {
    const { code = this.code, ...options } = this.byKey;
    return new AppError(code, options);
  }
}
