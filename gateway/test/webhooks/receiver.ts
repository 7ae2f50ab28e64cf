/** A real receiver of webhooks, which keeps what it was sent and answers as a test says. */
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

/** @param index how many came before. */
export type Answer = (response: ServerResponse, received: Received, index: number) => void;

export const received: Answer = (response) => response.end('{"status":"received"}');
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end();

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly all: readonly Received[];
  answer: Answer;
  /** Resolves once so many came. */
  count(most: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(answer: Answer = received): Promise<Receiver> {
  const all: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
    all.push(one);
    receiver.answer(response, one, all.length - 1);
    for (const look of waiting) look();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    all,
    answer,
    count: (most) =>
      new Promise((resolve) => {
        const look = () => {
          if (all.length < most) return;
          waiting.delete(look);
          resolve(all);
        };
        waiting.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** The event in what was received, by the contract's own check of both signatures. */
export function verified({ headers, body }: Received, secret: string) {
  verifyWebhook({ secret, headers, body, scheme: 'sha256' });
  return verifyWebhook({ secret, headers, body, scheme: 'standard' });
}
