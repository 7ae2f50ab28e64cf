/**
 * The one error type of the gateway. Status and public text come only from the contract's catalogue. Details for
 * operators are in `cause` and `detail`.
 */
import catalogue from '@presenza/contract/errors.json';

export type ErrorCode = keyof typeof catalogue;

interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  readonly reasons?: Readonly<Record<string, string>>;
}

/** The cause of an error: code, text and, if the catalogue has one, a more precise reason. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly reason?: string;
  /** The header, query parameter or form part at fault, or the path of the body's field: `operations.0.id`. */
  readonly param?: string;
  /** ISO 8601: when the exceeded quota resets. */
  readonly resetsAt?: string;
}

export interface AppErrorOptions {
  /** Selects a more precise text of the code. */
  readonly reason?: string;
  /** Values for the text's {placeholders}. `field` names the parameter at fault, whether the text contains it or not. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** For the log; never sent. */
  readonly detail?: string;
  readonly cause?: unknown;
  /** Seconds after which a retry makes sense; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  /** When the quota resets, in milliseconds since 1970. */
  readonly resetsAt?: number;
  /** How many operations the refused images were worth. Default: 1. */
  readonly work?: number | undefined;
}

/** The client disconnected and receives no response. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly retryAfterSeconds: number | undefined;
  /** How many operations the refusal was worth, a whole number from 1. */
  readonly work: number;

  constructor(
    readonly code: ErrorCode,
    private readonly options: AppErrorOptions = {},
  ) {
    super(options.detail ?? code, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.work = options.work ?? 1;
  }

  get status(): number {
    return this.entry.status;
  }

  get body(): ErrorBody {
    const { reason, resetsAt, values: { field } = {} } = this.options;
    return {
      code: this.code,
      message: this.publicMessage,
      ...(reason !== undefined && this.reasonText !== undefined && { reason }),
      ...(field && { param: String(field) }),
      ...(resetsAt !== undefined && { resetsAt: new Date(resetsAt).toISOString() }),
    };
  }

  private get publicMessage(): string {
    const { values = {} } = this.options;
    const text = this.reasonText ?? this.entry.message;
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
      Object.hasOwn(values, name) ? String(values[name]) : placeholder,
    );
  }

  /** Undefined when the catalogue does not list the reason: it may come from another tier. */
  private get reasonText(): string | undefined {
    const { reason } = this.options;
    const { reasons = {} } = this.entry;
    return reason !== undefined && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  }

  private get entry(): CatalogueEntry {
    return catalogue[this.code];
  }
}

/** Converts any thrown value to an error of the catalogue. Unknown errors become INTERNAL_ERROR. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  // Paths that cannot be percent-decoded.
  if (thrown instanceof URIError) return new AppError('NOT_FOUND', { reason: 'operation' });
  return new AppError('INTERNAL_ERROR', { cause: thrown });
}

/**
 * An error for the log: names, messages and stacks of the error and its causes. Other properties could hold a body,
 * and ids in messages are shortened to their prefix.
 */
export function describe(error: Error): unknown {
  return {
    name: error.name,
    message: withoutIds(error.message),
    stack: error.stack && withoutIds(error.stack),
    ...(error.cause instanceof Error ? { cause: describe(error.cause) } : {}),
  };
}

/** Replaces ids of accounts, keys, sessions and attempts by their prefix. */
const withoutIds = (text: string) => text.replace(/\b(acc|key|ses|att)_\w+/g, '$1_*');

/** An error for operators: what failed and, if known, why. Messages of Redis contain no key and no password. */
export function explain(error: Error): string {
  const text = error instanceof AppError ? error.body.message : error.message;
  const { cause } = error;
  if (!(cause instanceof Error)) return text;
  // The cluster client keeps the error of the last node that it tried.
  const { lastNodeError } = cause as { lastNodeError?: Error };
  return `${text} (${(lastNodeError ?? cause).message})`;
}

/** The addresses that errors link to. */
export interface ErrorLinks {
  /** Of the site with the documentation, without a slash at its end. Without it, `docUrl` is a path of the site. */
  readonly siteUrl?: string | undefined;
  /** A URL with the placeholder {requestId}, at which an operator looks up a request. */
  readonly requestLogUrl?: string | undefined;
}

/** The request that an error responds to. */
export interface FailedRequest {
  readonly requestId: string;
  /** The owner of its valid API key. */
  readonly principal?: unknown;
  readonly forPages?: true;
}

/** The `error` object of a response: the cause, where the documentation explains it, and where to look up the request. */
export function publicError({ body }: AppError, request: FailedRequest, links: ErrorLinks) {
  const anchor = body.code.toLowerCase().replaceAll('_', '-');
  const requestLogUrl = requestLogUrlOf(request, links);
  return {
    ...body,
    docUrl: `${links.siteUrl ?? ''}/docs/api-reference#${anchor}`,
    ...(requestLogUrl && { requestLogUrl }),
  };
}

/** The documentation is public, but a person in front of a camera cannot open the log viewer and must not learn its host. */
function requestLogUrlOf(
  { requestId, principal, forPages }: FailedRequest,
  { requestLogUrl }: ErrorLinks,
): string | undefined {
  if (forPages && !principal) return undefined;
  return requestLogUrl?.replace('{requestId}', () => encodeURIComponent(requestId));
}

/** The body of an error response. */
export function envelope(error: AppError, request: FailedRequest, links: ErrorLinks) {
  const { requestId } = request;
  return { success: false, error: publicError(error, request, links), requestId };
}
