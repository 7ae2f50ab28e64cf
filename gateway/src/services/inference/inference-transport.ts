/**
 * Carries requests to the inference tier and replies back, over kept connections. It uses undici's dispatcher
 * directly: this is on every request's way, and a call through node:http costs three times the processor time.
 */
import { Client, type Dispatcher, Pool } from 'undici';
import { AppError } from '../../errors';
import type { CancellationSignal } from '../cancellation';

export interface Message {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
  /** Ends the exchange with its reason as the error. */
  readonly signal: CancellationSignal;
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

export class InferenceTransport {
  private readonly origin: string;
  /** Without a bound on its sockets: what may be in flight is the admission's to say, and the tier sheds the rest. */
  private pool: Pool;
  /** Those before it, until what is in flight on them has ended. */
  private readonly leaving = new Set<Pool>();

  constructor(url: string) {
    this.origin = new URL(url).origin;
    this.pool = new Pool(this.origin, options);
  }

  /**
   * @throws the signal's reason; AppError SERVICE_UNAVAILABLE when the tier cannot be reached or breaks off,
   *   INTERNAL_ERROR when its reply is too large or no JSON.
   */
  async exchange(message: Message): Promise<Reply> {
    const { pool } = this;
    try {
      return await send(pool, message).catch((error) => {
        if (error instanceof ConnectionLost) return this.sendAfresh(message);
        throw error;
      });
    } catch (cause) {
      if (message.signal.aborted) {
        if (message.signal.reason instanceof AppError) this.renew(pool);
        throw message.signal.reason;
      }
      if (cause instanceof AppError) throw cause;
      throw new AppError('SERVICE_UNAVAILABLE', { reason: 'inference', cause, retryAfterSeconds: 1 });
    }
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

  /**
   * A kept connection may be gone by the time it is used again, and so may its neighbours in the pool. The request may
   * have been worked on, which is harmless: analyses are pure, a second one changes nothing and answers the same.
   */
  private async sendAfresh(message: Message): Promise<Reply> {
    const client = new Client(this.origin, options);
    try {
      return await send(client, message);
    } finally {
      void client.destroy();
    }
  }
}

/** The connection broke after the request had gone out on it and before anything came back. */
class ConnectionLost extends Error {}

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
    else if (this.cut && this.status === 0)
      this.reject(new ConnectionLost('connection lost', { cause: error }));
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
