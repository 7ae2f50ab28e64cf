/**
 * The session calls of the gateway. A refusal is a result: what to make of it, failures.ts says. Nothing is
 * retried here.
 */
import type { Link } from './link';
import type { Attempt, AttemptRequest, FrameAnswer, Outcome, Start, Status } from './wire';

export type Failure =
  /** No answer: the network, the gateway, or the time for it is gone. */
  | { kind: 'network' }
  | {
      kind: 'refused';
      status: number;
      /** Of errors.json, or empty where the answer is none of the gateway's. */
      code: string;
      reason: string | undefined;
      requestId: string | undefined;
      retryAfterSeconds: number | undefined;
    };

export type Answer<T> = { ok: true; data: T } | { ok: false; failure: Failure };

export interface Gateway {
  start(signal: AbortSignal): Promise<Answer<Start>>;
  read(signal: AbortSignal): Promise<Answer<{ status: Status }>>;
  begin(request: AttemptRequest, signal: AbortSignal): Promise<Answer<Attempt>>;
  sendFrame(frame: Frame, signal: AbortSignal): Promise<Answer<FrameAnswer>>;
  complete(attemptId: string, signal: AbortSignal): Promise<Answer<Outcome>>;
  cancel(signal: AbortSignal): Promise<Answer<{ status: Status }>>;
  /** Outlives the page, which is about to go. */
  leave(): void;
}

export interface Frame {
  attemptId: string;
  nonce: string;
  jpeg: Blob;
}

/** How long an answer may take. `start` waits for a webhook of up to 5 s, `complete` for the verdict. */
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

/** @param apiUrl address of the gateway, without a slash at its end */
export function createGateway(apiUrl: string, { token, sessionId }: Link, fetch: Window['fetch']): Gateway {
  const session = `${apiUrl}/v1/liveness/${sessionId}`;

  async function call<T>(options: Call): Promise<Answer<T>> {
    const {
      path,
      method = 'POST',
      body = null,
      headers,
      timeoutMs = TIMEOUT_MS.default,
      keepalive = false,
      signal,
    } = options;
    const abort = new AbortController();
    const stop = () => abort.abort();
    signal.addEventListener('abort', stop);
    const timer = setTimeout(stop, timeoutMs);
    try {
      const response = await fetch(session + path, {
        method,
        body,
        headers: { Authorization: `Bearer ${token}`, ...headers },
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: abort.signal,
        keepalive,
      });
      return await read<T>(response);
    } catch {
      return { ok: false, failure: { kind: 'network' } };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
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
    sendFrame: ({ attemptId, nonce, jpeg }, signal) =>
      call({
        path: `/attempts/${attemptId}/frames`,
        body: jpeg,
        headers: { 'Content-Type': 'image/jpeg', 'X-Frame-Nonce': nonce },
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

async function read<T>(response: Response): Promise<Answer<T>> {
  // What stands between page and gateway may answer in its own words.
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
