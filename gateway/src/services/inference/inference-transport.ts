/**
 * Sends requests to the inference tier over keep-alive connections. It uses undici's dispatcher directly, because every
 * request passes here and node:http takes three times the processor time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type Dispatcher, Pool } from 'undici';
import type { CancellationSignal } from '../../async/cancellation';
import { ApiError } from '../../errors';

export interface Message {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
  /** Aborts the exchange with its reason as the error. */
  readonly signal: CancellationSignal;
  /** Whether to retry for a while when no connection can be made. Default: true. */
  readonly reconnect?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** The value of the header `x-wire-version`. */
  readonly wireVersion: string | undefined;
  /** Value of the header `x-work`. */
  readonly work: number | undefined;
  /** The parsed JSON; undefined if the reply is not JSON. */
  readonly body: unknown;
}

/** Replies are small; a larger one is not from the tier. */
const maxReplyBytes = 4 * 1024 * 1024;

const options = {
  // The signal aborts at the request's deadline, so the dispatcher needs no timeouts of its own.
  headersTimeout: 0,
  bodyTimeout: 0,
  // An address that drops packets: requests stop waiting for it even when their deadline is far away.
  connectTimeout: 2_000,
  maxResponseSize: maxReplyBytes,
};

/**
 * Pause before the next attempt: without it, refused connections would be retried thousands of times a second, and a
 * process that is killed accepts connections until its last file is closed.
 */
const reconnectMs = 25;
/** How long requests keep connecting while none receives a reply. After that the tier counts as unavailable. */
const outageMs = 2_000;
/** Failures further apart than this are unrelated. Longer than an attempt to connect takes. */
const unrelatedMs = 5_000;
/**
 * How often a request may be sent on connections that break. With more attempts, an image that crashes a replica would
 * crash one replica after the other.
 */
const maxSends = 2;

export class InferenceTransport {
  private readonly origin: string;
  /** Its sockets are not limited: admission limits the requests in flight, and the tier sheds the rest. */
  private pool: Pool;
  /** Former pools, until their requests in flight have ended. */
  private readonly closing = new Set<Pool>();
  /** When the first and the last of consecutive connections failed. */
  private failures: { readonly since: number; readonly until: number } | undefined;

  constructor(
    url: string,
    private readonly now: () => number = performance.now.bind(performance),
  ) {
    this.origin = new URL(url).origin;
    this.pool = new Pool(this.origin, options);
  }

  /**
   * When a connection fails before the first byte of a reply, the request is sent again on a new one, which may lead to
   * another replica. Analyses are pure, so repeating one is harmless.
   * @throws the signal's reason; ApiError SERVICE_UNAVAILABLE when the tier cannot be reached or breaks off,
   *   INTERNAL_ERROR when its reply is too large or not JSON.
   */
  async exchange(message: Message): Promise<Reply> {
    const { pool } = this;
    let attempt = () => send(pool, message);
    for (let sends = 0; ; ) {
      try {
        const reply = await attempt();
        this.failures = undefined;
        return reply;
      } catch (cause) {
        if (message.signal.aborted) {
          if (message.signal.reason instanceof ApiError) this.renew(pool);
          throw message.signal.reason;
        }
        if (cause instanceof ApiError) throw cause;
        if (cause instanceof ConnectionFailed && cause.sent) sends += 1;
        const mayRepeat =
          cause instanceof ConnectionFailed && (cause.sent ? sends < maxSends : message.reconnect !== false);
        if (!mayRepeat || this.isOutage()) {
          throw new ApiError('SERVICE_UNAVAILABLE', { reason: 'inference', cause, retryAfterSeconds: 1 });
        }
        await delay(reconnectMs);
        attempt = () => this.sendAfresh(message);
      }
    }
  }

  /** Records a failed connection. @returns whether connections have failed for so long that retrying is pointless */
  private isOutage(): boolean {
    const until = this.now();
    const { failures } = this;
    const since = failures && until - failures.until <= unrelatedMs ? failures.since : until;
    this.failures = { since, until };
    return until - since > outageMs;
  }

  /** Aborts the requests in flight. */
  close(): void {
    for (const pool of [this.pool, ...this.closing]) void pool.destroy();
  }

  /**
   * A connection that is silent until a deadline may have lost its other end, and so may the idle ones beside it, each of
   * which would cost another request its deadline. So the next requests get new connections. Once for each pool, because
   * a slow tier lets many deadlines pass.
   */
  private renew(old: Pool): void {
    if (old !== this.pool) return;
    this.pool = new Pool(this.origin, options);
    this.closing.add(old);
    void old.close().finally(() => this.closing.delete(old));
  }

  /** Sends on a new connection: when one of the pool is gone, the others may be too. */
  private async sendAfresh(message: Message): Promise<Reply> {
    const client = new Client(this.origin, options);
    try {
      return await send(client, message);
    } finally {
      void client.destroy();
    }
  }
}

/** No connection could be made, or it broke before the first byte of a reply. */
class ConnectionFailed extends Error {
  constructor(
    /** Whether the request may have been sent. */
    readonly sent: boolean,
    cause: Error,
  ) {
    super(cause.message, { cause });
  }
}

function send(dispatcher: Dispatcher, { method, path, headers, body, signal }: Message): Promise<Reply> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const receiver = new Receiver(signal, resolve, reject);
    dispatcher.dispatch({ method, path, headers: headers ?? null, body: body ?? null }, receiver);
  });
}

/** Receives one reply. */
class Receiver implements Dispatcher.DispatchHandlers {
  private readonly chunks: Buffer[] = [];
  private status = 0;
  private headers: readonly Buffer[] = [];
  private abort: ((error: Error) => void) | undefined;
  private readonly onAbort = () => {
    // Without a connection there is nothing to abort yet; `onConnect` does it later.
    this.abort?.(this.signal.reason as Error);
    this.reject(this.signal.reason);
  };

  constructor(
    private readonly signal: CancellationSignal,
    private readonly resolve: (reply: Reply) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    signal.addEventListener('abort', this.onAbort);
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.signal.aborted) abort(this.signal.reason as Error);
    else this.abort = abort;
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    this.status = status;
    this.headers = headers;
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    this.signal.removeEventListener('abort', this.onAbort);
    try {
      this.resolve(this.reply());
    } catch (error) {
      this.reject(error);
    }
  }

  onError(error: Error & { code?: string }): void {
    this.signal.removeEventListener('abort', this.onAbort);
    if (error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') this.reject(unusable('is too large', error));
    else if (this.status === 0) this.reject(new ConnectionFailed(this.abort !== undefined, error));
    else this.reject(error);
  }

  private reply(): Reply {
    return {
      status: this.status,
      retryAfterSeconds: this.number('retry-after'),
      wireVersion: this.header('x-wire-version'),
      work: this.number('x-work'),
      body: this.header('content-type')?.startsWith('application/json') ? this.json() : undefined,
    };
  }

  /** @param name in lower case */
  private header(name: string): string | undefined {
    // Names and values alternate.
    for (let i = 0; i < this.headers.length; i += 2) {
      const candidate = this.headers[i] as Buffer;
      if (candidate.length === name.length && candidate.toString('latin1').toLowerCase() === name) {
        return this.headers[i + 1]?.toString('latin1');
      }
    }
    return undefined;
  }

  private number(name: string): number | undefined {
    const value = Number(this.header(name) ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  }

  private json(): unknown {
    const [first] = this.chunks;
    const bytes = first && this.chunks.length === 1 ? first : Buffer.concat(this.chunks);
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch {
      // The parser's error quotes the reply, which must never reach a log, so it is not the cause.
      throw unusable('is not JSON');
    }
  }
}

const unusable = (what: string, cause?: unknown) =>
  new ApiError('INTERNAL_ERROR', { detail: `inference reply ${what}`, cause });
