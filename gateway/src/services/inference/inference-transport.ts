/**
 * Carries requests to the inference tier and replies back, over kept connections. It uses undici's dispatcher
 * directly: this is on every request's way, and a call through node:http costs three times the processor time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type Dispatcher, Pool } from 'undici';
import type { CancellationSignal } from '../../async/cancellation';
import { AppError } from '../../errors';

export interface Message {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
  /** Ends the exchange with its reason as the error. */
  readonly signal: CancellationSignal;
  /** Whether to keep connecting for a while when there is no connection. Default: true. */
  readonly reconnect?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** The parsed JSON; undefined when the reply is something else. */
  readonly body: unknown;
}

/** Answers are small; anything larger is not one of ours. */
const maxReplyBytes = 4 * 1024 * 1024;

const options = {
  // A request has a deadline, which its signal tells; the dispatcher's own patience would only be a second one.
  headersTimeout: 0,
  bodyTimeout: 0,
  // An address that swallows packets: what waits for it is given up even when its deadline is far.
  connectTimeout: 2_000,
  maxResponseSize: maxReplyBytes,
};

/**
 * Pause before the next attempt: what is refused at once would be refused thousands of times a second, and a process
 * that is killed takes connections until its last file is closed.
 */
const reconnectMs = 25;
/** How long requests keep connecting while none of them gets a reply: then the whole tier is unavailable. */
const outageMs = 2_000;
/** Failures further apart than this say nothing about each other. Longer than an attempt to connect takes. */
const unrelatedMs = 5_000;
/**
 * How often a request may go out on a connection that breaks. More would let an image that kills the process it is
 * given to kill one after the other.
 */
const maxSends = 2;

export class InferenceTransport {
  private readonly origin: string;
  /** Without a bound on its sockets: what may be in flight is the admission's to say, and the tier sheds the rest. */
  private pool: Pool;
  /** Those before it, until what is in flight on them has ended. */
  private readonly leaving = new Set<Pool>();
  /** The first and the last of the connections that failed in a row. */
  private failures: { readonly since: number; readonly until: number } | undefined;

  constructor(
    url: string,
    private readonly now: () => number = performance.now.bind(performance),
  ) {
    this.origin = new URL(url).origin;
    this.pool = new Pool(this.origin, options);
  }

  /**
   * When a connection fails before the first byte of a reply, the request goes out again on a new one, which may lead to
   * another replica. Analyses are pure, so a second one is harmless.
   * @throws the signal's reason; AppError SERVICE_UNAVAILABLE when the tier cannot be reached or breaks off,
   *   INTERNAL_ERROR when its reply is too large or no JSON.
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
          if (message.signal.reason instanceof AppError) this.renew(pool);
          throw message.signal.reason;
        }
        if (cause instanceof AppError) throw cause;
        if (cause instanceof ConnectionFailed && cause.sent) sends += 1;
        const mayRepeat =
          cause instanceof ConnectionFailed && (cause.sent ? sends < maxSends : message.reconnect !== false);
        if (!mayRepeat || this.isOutage()) {
          throw new AppError('SERVICE_UNAVAILABLE', { reason: 'inference', cause, retryAfterSeconds: 1 });
        }
        await delay(reconnectMs);
        attempt = () => this.sendAfresh(message);
      }
    }
  }

  /** Takes note of a failed connection. @returns whether they have failed for so long that it is no use to go on */
  private isOutage(): boolean {
    const until = this.now();
    const { failures } = this;
    const since = failures && until - failures.until <= unrelatedMs ? failures.since : until;
    this.failures = { since, until };
    return until - since > outageMs;
  }

  /** Cuts what is in flight. */
  close(): void {
    for (const pool of [this.pool, ...this.leaving]) void pool.destroy();
  }

  /**
   * A connection that stayed silent until a deadline may have lost its other end without a word, and so may the idle ones
   * beside it, each of which would cost another request its deadline: what comes next gets new ones. Once for each pool:
   * a tier that is slow lets many deadlines pass.
   */
  private renew(old: Pool): void {
    if (old !== this.pool) return;
    this.pool = new Pool(this.origin, options);
    this.leaving.add(old);
    void old.close().finally(() => this.leaving.delete(old));
  }

  /** On a connection of its own: when a kept one is gone, so may be its neighbors in the pool. */
  private async sendAfresh(message: Message): Promise<Reply> {
    const client = new Client(this.origin, options);
    try {
      return await send(client, message);
    } finally {
      void client.destroy();
    }
  }
}

/** There was no connection, or it broke before anything came back. */
class ConnectionFailed extends Error {
  constructor(
    /** Whether the request may have gone out. */
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

/** Gathers one reply. */
class Receiver implements Dispatcher.DispatchHandlers {
  private readonly chunks: Buffer[] = [];
  private status = 0;
  private headers: readonly Buffer[] = [];
  private cut: ((error: Error) => void) | undefined;
  private readonly onAbort = () => {
    // Before there is a connection there is nothing to cut; `onConnect` does it then.
    this.cut?.(this.signal.reason as Error);
    this.reject(this.signal.reason);
  };

  constructor(
    private readonly signal: CancellationSignal,
    private readonly resolve: (reply: Reply) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    signal.addEventListener('abort', this.onAbort);
  }

  onConnect(cut: (error?: Error) => void): void {
    if (this.signal.aborted) cut(this.signal.reason as Error);
    else this.cut = cut;
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
    else if (this.status === 0) this.reject(new ConnectionFailed(this.cut !== undefined, error));
    else this.reject(error);
  }

  private reply(): Reply {
    const retryAfter = Number(this.header('retry-after') ?? Number.NaN);
    return {
      status: this.status,
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
      body: this.header('content-type')?.startsWith('application/json') ? this.json() : undefined,
    };
  }

  /** @param name in lower case */
  private header(name: string): string | undefined {
    // Names and values in turn, as they came.
    for (let i = 0; i < this.headers.length; i += 2) {
      const found = this.headers[i] as Buffer;
      if (found.length === name.length && found.toString('latin1').toLowerCase() === name) {
        return this.headers[i + 1]?.toString('latin1');
      }
    }
    return undefined;
  }

  private json(): unknown {
    const [first] = this.chunks;
    const bytes = first && this.chunks.length === 1 ? first : Buffer.concat(this.chunks);
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch {
      // The parser's error quotes the reply: it is not kept as the cause, so it can never reach a log.
      throw unusable('is not JSON');
    }
  }
}

const unusable = (what: string, cause?: unknown) =>
  new AppError('INTERNAL_ERROR', { detail: `inference reply ${what}`, cause });
