/** What a customer runs: it takes webhooks, checks their signature over the raw body and keeps what came. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import brand from '@presenza/contract/brand.json';

export interface Received {
  /** The same for each delivery of one event. */
  readonly id: string;
  readonly eventType: string;
  readonly sessionId: string;
  readonly result?: { readonly isLive: boolean; readonly confidence: number };
  readonly match?: { readonly isMatch: boolean; readonly similarity: number };
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface Receiver {
  readonly url: string;
  /** In their order; each is signed as it should be, or the receiver says 401 and keeps nothing. */
  readonly received: readonly Received[];
  secret: string;
  /** The event once it has come, at once where it came before. */
  event(sessionId: string, eventType: string): Promise<Received>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const arrivals = new EventEmitter().setMaxListeners(100);
  const server = createServer(async (req, res) => {
    const body = await read(req);
    const signed = isSigned(body, req.headers[brand.signatureHeader.toLowerCase()], receiver.secret);
    if (signed) {
      received.push({ ...JSON.parse(body.toString()), id: String(req.headers['webhook-id']) });
      arrivals.emit('event');
    }
    res.writeHead(signed ? 200 : 401, { 'content-type': 'application/json' });
    res.end(signed ? '{"status":"received"}' : '{"error":"signature"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    secret: '',
    async event(sessionId, eventType) {
      for (;;) {
        const found = received.find((one) => one.sessionId === sessionId && one.eventType === eventType);
        if (found) return found;
        await once(arrivals, 'event');
      }
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

async function read(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function isSigned(body: Buffer, header: string | string[] | undefined, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(String(header));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
