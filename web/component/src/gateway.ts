/** The session calls of the gateway. A rejection is a result, which failures.ts interprets. Nothing is retried here. */
import type { Link } from './link';
import type { Attempt, AttemptRequest, FrameResult, Outcome, Start, Status } from './wire';

export type Failure =
  /** No response: network error, unavailable gateway or timeout. */
  | { kind: 'network' }
  | {
      kind: 'refused';
      status: number;
      /** A code of errors.json; empty if the response is not from the gateway. */
      code: string;
      reason: string | undefined;
      requestId: string | undefined;
      retryAfterSeconds: number | undefined;
    };

export type Result<T> = { ok: true; data: T } | { ok: false; failure: Failure };

export interface Gateway {
  start(signal: AbortSignal): Promise<Result<Start>>;
  read(signal: AbortSignal): Promise<Result<{ status: Status; returnUrl?: string }>>;
  begin(request: AttemptRequest, signal: AbortSignal): Promise<Result<Attempt>>;
  sendFrame(frame: Frame, signal: AbortSignal): Promise<Result<FrameResult>>;
  complete(attemptId: string, signal: AbortSignal): Promise<Result<Outcome>>;
  cancel(signal: AbortSignal): Promise<Result<{ status: Status }>>;
  /** Completes even after the page is closed. */
  leave(): void;
}

export interface Frame {
  attemptId: string;
  nonce: string;
  jpeg: Blob;
  /** Milliseconds from the first color of a light challenge to the image. */
  shownMs?: number | undefined;
  /** Absent in browsers that cannot sign. */
  signature?: string | undefined;
}

/** The API version whose values the element knows. */
export const API_VERSION = '2026-11-29';

/** Timeouts of calls. `start` waits for a webhook of up to 5 s, `complete` for the verdict. */
const TIMEOUT_MS = { default: 15_000, frame: 8_000, complete: 40_000 };

interface Call {
  path: string;
  method?: 'GET' | 'POST';
  body?: BodyInit | null;
  headers?: Record<string, string>;
  timeoutMs?: number | undefined;
  keepalive?: boolean;
  signal: AbortSignal;
}

/** @param apiUrl address of the gateway without a trailing slash */
export function createGateway(apiUrl: string, { token, sessionId }: Link, fetch: Window['fetch']): Gateway {
  const session = `${apiUrl}/v1/liveness/${sessionId}`;

  async function call<T>(options: Call): Promise<Result<T>> {
    const {
      path,
      method = 'POST',
      body = null,
      headers,
      timeoutMs = TIMEOUT_MS.default,
      keepalive = false,
      signal,
    } = options;
    return within(timeoutMs, signal, async (signal) => {
      const response = await fetch(session + path, {
        method,
        body,
        headers: { Authorization: `Bearer ${token}`, 'Presenza-Version': API_VERSION, ...headers },
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal,
        keepalive,
      });
      return read<T>(response);
    });
  }

  const post = <T>(path: string, signal: AbortSignal, body: unknown = {}, timeoutMs?: number) =>
    call<T>({
      path,
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
      timeoutMs,
      signal,
    });

  return {
    start: (signal) => post('/start', signal),
    read: (signal) => call({ path: '', method: 'GET', signal }),
    begin: (request, signal) => post('/attempts', signal, request),
    sendFrame: ({ attemptId, nonce, jpeg, shownMs, signature }, signal) =>
      call({
        path: `/attempts/${attemptId}/frames`,
        body: jpeg,
        headers: {
          'Content-Type': 'image/jpeg',
          'X-Frame-Nonce': nonce,
          ...lightHeader(shownMs),
          ...(signature && { 'X-Frame-Signature': signature }),
        },
        timeoutMs: TIMEOUT_MS.frame,
        signal,
      }),
    complete: (attemptId, signal) => post(`/attempts/${attemptId}/complete`, signal, {}, TIMEOUT_MS.complete),
    cancel: (signal) => post('/cancel', signal),
    leave: () =>
      void call({
        path: '/leave',
        body: '{}',
        headers: { 'Content-Type': 'application/json' },
        keepalive: true,
        signal: new AbortController().signal,
      }),
  };
}

/** Ends a call after a time, or when the signal aborts. */
export async function within<T>(
  timeoutMs: number,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<Result<T>>,
): Promise<Result<T>> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop);
  try {
    return await call(abort.signal);
  } catch {
    return { ok: false, failure: { kind: 'network' } };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function read<T>(response: Response): Promise<Result<T>> {
  // A proxy between page and gateway may respond with other content.
  const body = await response.json().catch(() => null);
  if (response.ok && body?.success) return { ok: true, data: body.data };
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return {
    ok: false,
    failure: {
      kind: 'refused',
      status: response.status,
      code: body?.error?.code ?? '',
      reason: body?.error?.reason,
      requestId: body?.requestId ?? response.headers.get('X-Request-Id') ?? undefined,
      retryAfterSeconds: retryAfter >= 0 ? retryAfter : undefined,
    },
  };
}

const lightHeader = (shownMs: number | undefined): Record<string, string> =>
  shownMs === undefined ? {} : { 'X-Frame-Light': String(shownMs) };
