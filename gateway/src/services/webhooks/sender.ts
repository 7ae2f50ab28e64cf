/** One POST to a receiver, within bounds: of time, of what is read, and of where it may go. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import brand from '@presenza/contract/brand.json';
import { type AddressGuard, AddressRefused } from './address-guard';
import { retryAfterMs } from './schedule';

/** More of an answer is not read. */
export const maxAnswerBytes = 4 * 1024;

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Over everything: name, connection, answer. */
  readonly timeoutMs: number;
  /** Whether the answer counts with its body; otherwise the status is enough. */
  readonly withBody?: boolean;
}

/** Why there was no answer, in a word that tells nothing of the address. */
export type PostFailure = 'timeout' | 'address' | 'dns' | 'tls' | 'connection' | 'oversized';

export interface PostResult {
  /** HTTP status, when there was one. */
  readonly status?: number;
  readonly failure?: PostFailure;
  /** Where it was asked for and is whole. */
  readonly body?: Buffer;
  readonly retryAfterMs?: number;
  readonly tookMs: number;
}

export interface Sender {
  /** Never throws. */
  post(post: Post): Promise<PostResult>;
}

export class HttpSender implements Sender {
  constructor(
    private readonly guard: AddressGuard,
    private readonly now: () => number = Date.now,
  ) {}

  async post(post: Post): Promise<PostResult> {
    const begin = performance.now();
    const tookMs = () => Math.round(performance.now() - begin);
    try {
      return { ...(await this.exchange(post)), tookMs: tookMs() };
    } catch (error) {
      return { failure: failureOf(error as NodeJS.ErrnoException), tookMs: tookMs() };
    }
  }

  private async exchange({ url, headers, body, timeoutMs, withBody = false }: Post) {
    const target = new URL(url);
    this.guard.checkHost(target.hostname);
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        'User-Agent': `${brand.name}-Webhooks/1`,
        Accept: 'application/json',
        ...headers,
      },
      lookup: this.guard.lookup,
      // A connection of its own, closed after the answer: receivers are many and events are few.
      agent: false,
    });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      request.destroy(new TimedOut());
    }, timeoutMs);
    try {
      const response = await answerTo(request, body);
      const { statusCode: status = 0 } = response;
      const wait = retryAfterMs(response.headers['retry-after'], this.now());
      const read = await readBounded(response).catch((error) => {
        if (withBody) throw error;
        return undefined;
      });
      if (withBody && read === undefined) return { failure: 'oversized' as const };
      return {
        status,
        ...(withBody && read && { body: read }),
        ...(wait !== undefined && { retryAfterMs: wait }),
      };
    } catch (error) {
      // An answer that is cut off says only that its connection is lost.
      throw late ? new TimedOut() : error;
    } finally {
      clearTimeout(timer);
      request.destroy();
    }
  }
}

class TimedOut extends Error {}

function answerTo(request: ClientRequest, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    // It may come after the answer as well, when the rest of the body is not wanted any more.
    request.on('error', reject);
    // Nobody asked for another protocol. Without a listener there would be neither answer nor error.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('the receiver switched protocols'));
    });
    request.on('close', () => reject(new Error('the connection was closed')));
    request.end(body);
  });
}

/** @returns undefined when there is more than may be read. */
async function readBounded(response: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failureOf(error: NodeJS.ErrnoException): PostFailure {
  if (error instanceof TimedOut) return 'timeout';
  if (error instanceof AddressRefused) return 'address';
  const { code = '', syscall } = error;
  if (syscall === 'getaddrinfo') return 'dns';
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER|SELF_SIGNED/.test(code)) return 'tls';
  return 'connection';
}
