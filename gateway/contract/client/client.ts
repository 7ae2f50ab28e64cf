/**
 * The API as functions, for a backend that holds the API key. Every method resolves to the answer's envelope, typed, and
 * throws a PresenzaError for any other outcome. Nothing here is Node's own, so that load scripts run the same code in k6.
 */
import { parseSuccess, readText } from './answer.ts';
import type { Batch, BatchAnswer, BatchOutcome } from './batch.ts';
import { batchStream } from './batch-stream.ts';
import { type CallContext, type CallRequest, call, failureOf, sleepFor } from './call.ts';
import { fetchTransport } from './fetch-transport.ts';
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
} from './types.ts';

export interface ClientOptions extends Partial<CallContext> {
  /** Where the API is, such as https://api.example.com or http://127.0.0.1:8080, with or without /v1. */
  readonly baseUrl: string;
  /** For the calls about one liveness session its access token serves as well. */
  readonly apiKey: string;
  /** Retries after the first attempt: 3 unless given. */
  readonly retries?: number;
  /** For a whole call with its retries and waits, in milliseconds. Unless given 60,000, and 180,000 for batches. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  /** Ends the call; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Id to find the request by, in place of one that the service makes. */
  readonly requestId?: string;
  /** In place of the client's, in milliseconds. */
  readonly timeoutMs?: number;
}

export interface PostOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters. The client makes one per call unless given, and keeps it over the retries. */
  readonly idempotencyKey?: string;
}

export interface PresenzaClient {
  health(options?: CallOptions): Promise<HealthResponse>;
  detect(request: DetectRequest, options?: PostOptions): Promise<DetectResponse>;
  compare(request: CompareRequest, options?: PostOptions): Promise<CompareResponse>;
  moderate(request: ModerateRequest, options?: PostOptions): Promise<ModerateResponse>;
  batch(request: Batch, options?: PostOptions): Promise<BatchAnswer>;
  /** Results in the order in which they are ready. Retries end with the first one. */
  batchStream(request: Batch, options?: PostOptions): AsyncIterableIterator<BatchOutcome>;
  /** Of the current month, or of one given as 2026-01. */
  usage(options?: CallOptions & { readonly month?: string }): Promise<UsageResponse>;
  createLivenessSession(request?: LivenessRequest, options?: PostOptions): Promise<LivenessResponse>;
  getLivenessSession(sessionId: string, options?: CallOptions): Promise<LivenessSessionResponse>;
  deleteLivenessSession(sessionId: string, options?: CallOptions): Promise<LivenessDeleteResponse>;
}

const singleTimeoutMs = 60_000;
/** The service may work on a batch for a minute, and its upload takes time as well. */
const batchTimeoutMs = 180_000;

type Method = TransportRequest['method'];

/** @throws {TypeError} for a baseUrl that is none, or a key with characters that no header can carry */
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

/** fetch would repeat a value that it cannot send, the API key among them, in its error. */
function headerValue(name: string, value: string): string {
  if (!/^[!-~]+$/.test(value)) throw new TypeError(`${name} must be visible ASCII characters.`);
  return value;
}

/** A UUID, or as many random digits where the runtime makes none. */
function uniqueKey(random: () => number): string {
  if (typeof globalThis.crypto?.randomUUID === 'function') return globalThis.crypto.randomUUID();
  return Array.from({ length: 32 }, () => Math.floor(16 * random()).toString(16)).join('');
}
