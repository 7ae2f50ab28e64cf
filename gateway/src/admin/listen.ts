/** `webhooks listen`: a receiver on this machine that prints what arrives, and whether its signature is valid. */
import { timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { parseArgs } from 'node:util';
import brand from '@presenza/contract/brand.json';
import limits from '@presenza/contract/limits.json';
import { secretPrefix, signatureHeaders } from '../services/webhooks/signature';
import { UsageError } from './command-line';

export const listenHelp = `Prints webhooks that arrive on this machine, and whether their signature is valid.

  npm run admin -- webhooks listen [--port PORT] [--secret SECRET] [--forward URL]

  --port PORT      Where to listen (3000)
  --secret SECRET  The endpoint's secret, old or new during a roll; without it signatures are not checked
  --forward URL    Forwards every request and returns the response`;

export interface ListenOptions {
  readonly port: number;
  readonly secret?: string;
  readonly forward?: string;
}

const maxBytes = 64 * 1024;
const { timestampToleranceSeconds } = limits.webhooks;

/** @throws UsageError */
export function parseListen(args: readonly string[]): ListenOptions {
  const text = { type: 'string' } as const;
  let values: { port?: string; secret?: string; forward?: string };
  try {
    ({ values } = parseArgs({ args: [...args], options: { port: text, secret: text, forward: text } }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { port = '3000', secret, forward } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('--port is 0 to 65535');
  if (secret !== undefined && !secret.startsWith(secretPrefix)) {
    throw new UsageError(`--secret begins with ${secretPrefix}`);
  }
  if (forward !== undefined && !URL.canParse(forward)) throw new UsageError('--forward is a URL');
  return { port: Number(port), ...(secret && { secret }), ...(forward && { forward }) };
}

/** @param print one line, or several */
export function listen({ port, secret, forward }: ListenOptions, print: (text: string) => void): Server {
  const server = createServer((request, response) => {
    // A sender that disconnects does not wait for a response.
    respond(request, response).catch(() => response.destroy());
  });
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > maxBytes) return response.writeHead(413).end();
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    const signature = secret === undefined ? 'not checked' : signatureOf(secret, request.headers, body);
    print(`${request.headers['webhook-id'] ?? 'no id'}  ${signature}\n${body.toString('utf8')}`);
    if (signature === 'invalid') return response.writeHead(401).end('{"error":"Invalid signature"}');
    const passed = forward === undefined ? undefined : await passOn(forward, request.headers, body);
    response.writeHead(passed?.status ?? 200, { 'Content-Type': 'application/json' });
    return response.end(passed?.body ?? '{"status":"received"}');
  };
  return server.listen(port, '127.0.0.1');
}

function signatureOf(secret: string, headers: IncomingHttpHeaders, body: Buffer): 'valid' | 'invalid' {
  const given = (name: string) => String(headers[name.toLowerCase()] ?? '');
  const [eventId, time] = [given('webhook-id'), given('webhook-timestamp')];
  const expected = signatureHeaders({ eventId, sentAt: 1000 * Number(time), body, secrets: [secret] });
  const fresh = Math.abs(Date.now() / 1000 - Number(time)) <= timestampToleranceSeconds;
  const standard = given('webhook-signature').split(' ');
  const signed = standard.some((signature) => same(signature, expected['webhook-signature'] as string));
  return fresh && signed ? 'valid' : 'invalid';
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function passOn(url: string, headers: IncomingHttpHeaders, body: Buffer) {
  const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const kept = [...names, brand.signatureHeader.toLowerCase()].flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]] as [string, string]] : [],
  );
  try {
    const init = { method: 'POST', headers: kept, body: new Uint8Array(body), redirect: 'manual' } as const;
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(15_000) });
    return { status: response.status, body: await response.text() };
  } catch {
    return { status: 502, body: '{"error":"The forward address did not respond"}' };
  }
}
