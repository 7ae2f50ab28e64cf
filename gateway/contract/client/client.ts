/**
 * The API as functions, for a backend that holds the API key. Every method resolves to the typed response envelope and
 * throws a PresenzaError otherwise. The code uses nothing specific to Node.js, so that load scripts can run it in k6.
 */

import type { Batch, BatchOutcome, TypedBatchResponse } from './batch.ts';
import { batchStream } from './batch-stream.ts';
import { type CallContext, type CallRequest, call, failureOf, sleepFor } from './call.ts';
import { fetchTransport } from './fetch-transport.ts';
import { parseSuccess, readText } from './response.ts';
import type { TransportRequest, TransportResponse } from './transport.ts';
import type {
  CompareRequest,
  CompareResponse,
  DetectRequest,
  DetectResponse,
  HealthResponse,
  LivenessDeleteResponse,
  LivenessRequest,
  LivenessResponse,
  LivenessSessionResponse,
  ModerateRequest,
  ModerateResponse,
  UsageResponse,
} from './types.d.ts';

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

export interface PresenzaClient {
  health(options?: CallOptions): Promise<HealthResponse>;
  detect(request: DetectRequest, options?: PostOptions): Promise<DetectResponse>;
  compare(request: CompareRequest, options?: PostOptions): Promise<CompareResponse>;
  moderate(request: ModerateRequest, options?: PostOptions): Promise<ModerateResponse>;
  batch(request: Batch, options?: PostOptions): Promise<TypedBatchResponse>;
  /** Yields results as soon as they are ready. The client stops retrying after the first one. */
  batchStream(request: Batch, options?: PostOptions): AsyncIterableIterator<BatchOutcome>;
  /** Usage of the current month, or of a month given as 2026-01. */
  usage(options?: CallOptions & { readonly month?: string }): Promise<UsageResponse>;
  createLivenessSession(request?: LivenessRequest, options?: PostOptions): Promise<LivenessResponse>;
  getLivenessSession(sessionId: string, options?: CallOptions): Promise<LivenessSessionResponse>;
  deleteLivenessSession(sessionId: string, options?: CallOptions): Promise<LivenessDeleteResponse>;
}

const singleTimeoutMs = 60_000;
/** The service may process a batch for a minute, and the upload takes additional time. */
const batchTimeoutMs = 180_000;

type Method = TransportRequest['method'];

/** @throws {TypeError} if baseUrl is not a URL, or the key has characters that are not allowed in headers */
export function createClient(options: ClientOptions): PresenzaClient {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  if (!/^https?:\/\/[^/]/.test(baseUrl)) throw new TypeError('baseUrl must start with http:// or https://.');
  const authorization = `Bearer ${headerValue('apiKey', options.apiKey)}`;
  const { transport = fetchTransport, retries = 3, random = Math.random } = options;
  const { sleep = sleepFor, now = Date.now } = options;
  const contextOf = (path: string, own: CallOptions): CallContext => ({
    transport,
    retries,
    timeoutMs: own.timeoutMs ?? options.timeoutMs ?? (path === '/batch' ? batchTimeoutMs : singleTimeoutMs),
    random,
    sleep,
    now,
  });

  const requestOf = (method: Method, path: string, body: unknown, own: PostOptions): CallRequest => ({
    method,
    url: baseUrl + path,
    headers: {
      accept: 'application/json',
      authorization,
      ...(own.requestId === undefined ? {} : { 'x-request-id': headerValue('requestId', own.requestId) }),
      ...(method === 'POST'
        ? {
            'content-type': 'application/json',
            'idempotency-key': headerValue('idempotencyKey', own.idempotencyKey ?? uniqueKey(random)),
          }
        : {}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: own.signal,
  });

  const send = async <T>(method: Method, path: string, body: unknown, own: PostOptions = {}): Promise<T> => {
    const readEnvelope = async (response: TransportResponse) =>
      parseSuccess<T>(response, await readText(response));
    return call(contextOf(path, own), requestOf(method, path, body, own), readEnvelope);
  };
  const session = (sessionId: string) => `/liveness/${encodeURIComponent(sessionId)}`;

  return {
    health: (own) => send('GET', '/health', undefined, own),
    detect: (request, own) => send('POST', '/detect', request, own),
    compare: (request, own) => send('POST', '/compare', request, own),
    moderate: (request, own) => send('POST', '/moderate', request, own),
    batch: (request, own) => send('POST', '/batch', request, own),
    batchStream: (request, own = {}) => {
      const { headers, ...rest } = requestOf('POST', '/batch', request, own);
      const streamed = { ...rest, headers: { ...headers, accept: 'application/x-ndjson' } };
      return batchStream({
        open: () => call(contextOf('/batch', own), streamed, async (response) => response),
        count: request.operations.length,
        failure: (error) => failureOf(error, own.signal),
        now,
      });
    },
    usage: ({ month, ...own } = {}) => {
      const query = month === undefined ? '' : `?month=${encodeURIComponent(month)}`;
      return send('GET', `/usage${query}`, undefined, own);
    },
    createLivenessSession: (request = {}, own) => send('POST', '/liveness', request, own),
    getLivenessSession: (sessionId, own) => send('GET', session(sessionId), undefined, own),
    deleteLivenessSession: (sessionId, own) => send('DELETE', session(sessionId), undefined, own),
  };
}

/** Validates here, because an error of fetch would contain the value, such as the API key. */
function headerValue(name: string, value: string): string {
  if (!/^[!-~]+$/.test(value)) throw new TypeError(`${name} must be visible ASCII characters.`);
  return value;
}

/** Returns a UUID, or as many random digits if the runtime cannot generate one. */
function uniqueKey(random: () => number): string {
  if (typeof globalThis.crypto?.randomUUID === 'function') return globalThis.crypto.randomUUID();
  return Array.from({ length: 32 }, () => Math.floor(16 * random()).toString(16)).join('');
}
