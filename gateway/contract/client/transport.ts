/** The HTTP interface of the client, which both fetch and k6's http module can implement. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined for requests without a body. */
  readonly body: string | undefined;
  /** Time left for the whole response, including its body. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Value of a header. The name is in lower case. */
  header(name: string): string | undefined;
  /** The next piece of the body as text; undefined once it has ended. */
  read(): Promise<string | undefined>;
  /** Discards the rest of the body. */
  cancel(): Promise<void>;
}

/**
 * Sends one request without following redirects. It and `read` reject if the connection fails, with an error named
 * `TimeoutError` if `timeoutMs` passed first.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
