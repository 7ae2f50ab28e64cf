/** A real webhook receiver that stores all requests and responds as the test chooses. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../../contract/client/webhooks';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** @param index of the request. */
export type Responder = (response: ServerResponse, received: Received, index: number) => void;

export const received: Responder = (response) => response.end('{"status":"received"}');
export const status =
  (code: number, headers: Record<string, string> = {}): Responder =>
  (response) =>
    response.writeHead(code, headers).end();

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly all: readonly Received[];
  respond: Responder;
  /** Resolves once this many requests have arrived. */
  count(total: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(respond: Responder = received): Promise<Receiver> {
  const all: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
    all.push(delivery);
    receiver.respond(response, delivery, all.length - 1);
    for (const check of waiting) check();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    all,
    respond,
    count: (total) =>
      new Promise((resolve) => {
        const check = () => {
          if (all.length < total) return;
          waiting.delete(check);
          resolve(all);
        };
        waiting.add(check);
        check();
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Verifies both signatures with the contract's client and returns the event. */
export function verified({ headers, body }: Received, secret: string) {
  // Many events of tests have a fixed time.
  const now = () => Date.parse(JSON.parse(body).timestamp);
  verifyWebhook({ secret, headers, body, scheme: 'sha256', now });
  return verifyWebhook({ secret, headers, body, scheme: 'standard' });
}

/** Resolves to an event of a session once it has arrived with valid signatures, and to its id. */
export async function eventOf(receiver: Receiver, secret: string, sessionId: string, eventType: string) {
  for (let place = 0; ; place++) {
    const delivery = (await receiver.count(place + 1))[place] as Received;
    const event = verified(delivery, secret);
    if (event.sessionId === sessionId && event.eventType === eventType)
      return { event, id: delivery.headers['webhook-id'] };
  }
}
