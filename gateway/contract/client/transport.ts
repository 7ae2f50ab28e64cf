/** What the client needs of HTTP: small enough that Node's fetch and k6's http module both fit. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined for requests without a body. */
  readonly body: string | undefined;
  /** Time left for the whole answer, its body included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Value of a header; the name is given in lower case. */
  header(name: string): string | undefined;
  /** The next piece of the body as text; undefined once it has ended. */
  read(): Promise<string | undefined>;
  /** Gives up what was not read. */
  cancel(): Promise<void>;
}

/**
 * Sends one request; redirects are not followed. It and `read` reject when the connection fails: with an error named
 * `TimeoutError` when `timeoutMs` passed first.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
