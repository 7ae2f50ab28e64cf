/** Options of the client and of its calls. */
import type { CallContext } from './call.ts';

export interface ClientOptions extends Partial<CallContext> {
  /** Base URL of the API, such as https://api.example.com or http://127.0.0.1:8080, with or without /v1. */
  readonly baseUrl: string;
  /** Calls about one liveness session also accept its access token. */
  readonly apiKey: string;
  /** Retries after the first attempt. Default: 3. */
  readonly retries?: number;
  /** Timeout of a whole call, including retries, in milliseconds. Default: 60,000, and 180,000 for batches. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Request id to use instead of a generated one. */
  readonly requestId?: string;
  /** Overrides the client's timeout, in milliseconds. */
  readonly timeoutMs?: number;
}

export interface PostOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters. By default the client generates one for each call and reuses it for retries. */
  readonly idempotencyKey?: string;
}
