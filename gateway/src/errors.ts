/**
 * The one error type of the gateway. Status and public text come from the contract's catalogue and nowhere else;
 * what only operators may read travels in `cause` and `detail`.
 */
import catalogue from '@presenza/contract/errors.json';

export type ErrorCode = keyof typeof catalogue;

interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  readonly reasons?: Readonly<Record<string, string>>;
}

export interface AppErrorOptions {
  /** Picks a more precise text of the code. */
  readonly reason?: string;
  /** Values for the text's {placeholders}. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** For the log; never sent. */
  readonly detail?: string;
  readonly cause?: unknown;
  /** Seconds after which a retry makes sense; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
}

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    private readonly options: AppErrorOptions = {},
  ) {
    super(options.detail ?? code, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return this.entry.status;
  }

  /** The `error` object of the envelope: code, text and, where the catalogue has finer causes, the reason. */
  get body(): { code: ErrorCode; message: string; reason?: string } {
    const { reason } = this.options;
    const message = this.publicMessage;
    return {
      code: this.code,
      message,
      ...(reason !== undefined && this.entry.reasons?.[reason] ? { reason } : {}),
    };
  }

  private get publicMessage(): string {
    const { reason, values = {} } = this.options;
    const text = (reason === undefined ? undefined : this.entry.reasons?.[reason]) ?? this.entry.message;
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
  }

  private get entry(): CatalogueEntry {
    return catalogue[this.code];
  }
}
