/**
 * The errors that reject a request. The subclasses of `RequestError` differ in who declares their codes. Code that responds
 * to a request handles `RequestError` alone.
 */
import catalogue from '@presenza/contract/errors.json';
import { type ConsoleErrorCode, consoleCatalogue } from './console-catalogue';

export type ErrorCode = keyof typeof catalogue;
export type RequestErrorCode = ErrorCode | ConsoleErrorCode;

interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  readonly reasons?: Readonly<Record<string, string>>;
}

/** The `error` object of a response: code, text and, if the catalogue has one, a more precise reason. */
export interface ErrorBody {
  readonly code: RequestErrorCode;
  readonly message: string;
  readonly reason?: string;
  /** The header, query parameter or form part at fault, or the path of the body's field: `operations.0.id`. */
  readonly param?: string;
  /** ISO 8601: when the exceeded quota resets, or the limit of the console. */
  readonly resetsAt?: string;
  /** Where the documentation explains the error. */
  readonly docUrl?: string;
  /** Where an operator looks up the request. */
  readonly requestLogUrl?: string;
}

/** The addresses that errors link to. */
export interface ErrorLinks {
  /** URL of the site with the documentation, without a slash at its end. Default: `docUrl` is a path of the site. */
  readonly siteUrl?: string | undefined;
  /** A URL with the placeholder {requestId}, at which an operator looks up a request. */
  readonly requestLogUrl?: string | undefined;
}

/** How a caller sees an `OperatorError`: with its sentence, or with the catalogue's text of its code. */
export type OperatorErrorForm = 'sentence' | 'code';

/** The request that an error responds to. */
export interface FailedRequest {
  readonly requestId: string;
  /** The owner of its valid API key. */
  readonly principal?: unknown;
  /** Whether a page made it for a person in front of a camera. */
  readonly forPages?: true;
  readonly operatorErrors?: OperatorErrorForm;
}

export interface ApiErrorOptions {
  /** Selects a more precise text of the code. */
  readonly reason?: string;
  /** Values for the text's {placeholders}. `field` names the parameter at fault, whether the text contains it or not. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** A text for the log; it is never sent. */
  readonly detail?: string;
  readonly cause?: unknown;
  /** Seconds after which a retry makes sense; becomes Retry-After. */
  readonly retryAfterSeconds?: number | undefined;
  /** When the quota resets, in milliseconds since 1970. */
  readonly resetsAt?: number;
  /** How many operations the refused images were worth. Default: 1. */
  readonly work?: number | undefined;
}

/** The client disconnected and receives no response. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Rejects a request. */
export abstract class RequestError extends Error {
  abstract readonly code: RequestErrorCode;
  abstract readonly status: number;
  abstract get body(): ErrorBody;
  readonly retryAfterSeconds: number | undefined;
  /** How many operations the refusal was worth, a whole number from 1. */
  readonly work: number;

  constructor(
    message: string,
    { cause, retryAfterSeconds, work = 1 }: Pick<ApiErrorOptions, 'cause' | 'retryAfterSeconds' | 'work'>,
  ) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
    this.work = work;
  }

  /** The text for an operator. */
  get sentence(): string {
    return this.message;
  }

  /** Whether the request may be rejected with it. */
  isForeseen(_request: Pick<FailedRequest, 'operatorErrors'>): boolean {
    return true;
  }

  /** The `error` object of the response. */
  bodyFor(_request: FailedRequest, _links: ErrorLinks): ErrorBody {
    return this.body;
  }
}

/** An error of the API: status and public text come only from the contract's catalogue. */
export class ApiError extends RequestError {
  override readonly name: string = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    private readonly options: ApiErrorOptions = {},
  ) {
    super(options.detail ?? code, options);
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

  override get sentence(): string {
    return this.publicMessage;
  }

  override bodyFor(request: FailedRequest, links: ErrorLinks): ErrorBody {
    const anchor = this.code.toLowerCase().replaceAll('_', '-');
    const requestLogUrl = requestLogUrlOf(request, links);
    return {
      ...this.body,
      docUrl: `${links.siteUrl ?? ''}/docs/api-reference#${anchor}`,
      ...(requestLogUrl && { requestLogUrl }),
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

/**
 * An error of an operator's request, with a sentence that says why and may name settings. A caller who manages an account
 * with an API key gets the catalogue's text of the code instead. In any other request it is a defect.
 */
export class OperatorError extends ApiError {
  override readonly name = 'OperatorError';

  constructor(sentence: string, code: ErrorCode = 'INVALID_PARAMETERS', options: ApiErrorOptions = {}) {
    super(code, { ...options, detail: sentence });
  }

  override get sentence(): string {
    return this.message;
  }

  override isForeseen({ operatorErrors }: Pick<FailedRequest, 'operatorErrors'>): boolean {
    return operatorErrors !== undefined;
  }

  override bodyFor(request: FailedRequest, links: ErrorLinks): ErrorBody {
    return request.operatorErrors === 'sentence'
      ? { ...this.body, message: this.sentence }
      : super.bodyFor(request, links);
  }
}

/**
 * An error of the console, with a code of the console's catalogue. Only people in the console and operators see it. In any
 * other request it is a defect, because the contract does not list its code.
 */
export class ConsoleError extends RequestError {
  override readonly name = 'ConsoleError';

  /** @param retryAfterSeconds for TOO_MANY_ATTEMPTS */
  constructor(
    readonly code: ConsoleErrorCode,
    retryAfterSeconds?: number,
  ) {
    super(consoleCatalogue[code].message, { retryAfterSeconds });
  }

  get status(): number {
    return consoleCatalogue[this.code].status;
  }

  override isForeseen({ operatorErrors }: Pick<FailedRequest, 'operatorErrors'>): boolean {
    return operatorErrors === 'sentence';
  }

  get body(): ErrorBody {
    const { code, message, retryAfterSeconds } = this;
    if (retryAfterSeconds === undefined) return { code, message };
    return { code, message, resetsAt: new Date(Date.now() + retryAfterSeconds * 1_000).toISOString() };
  }
}

/** The error to respond with to any thrown value. Errors that are unknown or not foreseen become INTERNAL_ERROR. */
export function asRequestError(
  thrown: unknown,
  request: Pick<FailedRequest, 'operatorErrors'> = {},
): RequestError {
  if (thrown instanceof RequestError && thrown.isForeseen(request)) return thrown;
  // Paths that cannot be percent-decoded.
  if (thrown instanceof URIError) return new ApiError('NOT_FOUND', { reason: 'operation' });
  return new ApiError('INTERNAL_ERROR', { cause: thrown });
}

/** Turns NOT_FOUND into undefined, for use in `catch`. @throws any other error */
export function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof RequestError && error.code === 'NOT_FOUND')) throw error;
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
export function envelope(error: RequestError, request: FailedRequest, links: ErrorLinks) {
  const { requestId } = request;
  return { success: false, error: error.bodyFor(request, links), requestId };
}
