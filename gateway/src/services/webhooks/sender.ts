/** Sends one POST to a receiver, with limits on its time, on the response's size and on the address. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import brand from '@presenza/contract/brand.json';
import { type AddressGuard, AddressRefused } from './address-guard';
import { retryAfterMs } from './schedule';

/** The sender reads no more of a response. */
export const maxResponseBytes = 4 * 1024;

/** The headers that are the same in each request. */
export const fixedHeaders = {
  'Content-Type': 'application/json',
  'User-Agent': `${brand.name}-Webhooks/1`,
  Accept: 'application/json',
};

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Limits lookup, connection and response together. */
  readonly timeoutMs: number;
  /** Whether to return the response's body; by default only its status matters. */
  readonly withBody?: boolean;
  /** Whether the receiver may be on this machine. Default: no. */
  readonly localWebhooks?: boolean;
}

/** Why there was no response, without details of the receiver's network. */
export type PostFailure = 'timeout' | 'address' | 'dns' | 'tls' | 'connection' | 'oversized';

export interface PostResult {
  /** HTTP status, if there was a response. */
  readonly status?: number;
  readonly failure?: PostFailure;
  /** Present if requested and complete. */
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

  private async exchange({ url, headers, body, timeoutMs, withBody = false, ...account }: Post) {
    const target = new URL(url);
    const guard = this.guard.for(account);
    guard.checkHost(target.hostname);
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
      method: 'POST',
      headers: {
        ...fixedHeaders,
        'Content-Length': body.length,
        ...headers,
      },
      lookup: guard.lookup,
      // Receivers are many and events are few, so connections are not kept.
      agent: false,
    });
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      request.destroy(new TimedOut());
    }, timeoutMs);
    try {
      const response = await responseTo(request, body);
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
      // After a timeout the request fails with a lost connection.
      throw timedOut ? new TimedOut() : error;
    } finally {
      clearTimeout(timer);
      request.destroy();
    }
  }
}

class TimedOut extends Error {}

function responseTo(request: ClientRequest, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    // Errors may follow the response, when the sender destroys the request before the end of the body.
    request.on('error', reject);
    // Without a listener, a receiver that switches protocols causes neither a response nor an error.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('the receiver switched protocols'));
    });
    request.on('close', () => reject(new Error('the connection was closed')));
    request.end(body);
  });
}

/** @returns undefined if the response is larger than the limit. */
async function readBounded(response: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failureOf(error: NodeJS.ErrnoException): PostFailure {
  if (error instanceof TimedOut) return 'timeout';
  if (error instanceof AddressRefused) return 'address';
  const { code = '', syscall = '' } = error;
  // Lookups by the system, and queries of DNS such as queryAaaa.
  if (/^(getaddrinfo$|query)/.test(syscall)) return 'dns';
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER|SELF_SIGNED/.test(code)) return 'tls';
  return 'connection';
}
