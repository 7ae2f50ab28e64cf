/** The servers of the failure scenarios: each scenario has a path of its own, and counts its attempts. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** @typedef {{ status: number, text?: string, error?: string, reason?: string, headers?: Record<string, string> }} Response */
/** @typedef {string | Response} Reply */

const FACES = JSON.stringify({
  success: true,
  data: { hasFace: false, faceCount: 0, faces: [] },
  requestId: 'req_1',
});
const JSON_TYPE = { 'content-type': 'application/json' };
/** Time between two bytes of a body that drips, and their number. */
const DRIP = { everyMs: 50, bytes: 400 };
/** Longer than a program needs for its first attempt, which a busy machine may still exceed: then the test proves less. */
const OPENS_AFTER_MS = 1_000;

/** @type {Readonly<Record<string, (response: import('node:http').ServerResponse) => void>>} */
const KINDS = {
  faces: (response) => void response.writeHead(200, JSON_TYPE).end(FACES),
  reset: ({ socket }) => socket?.resetAndDestroy(),
  close: ({ socket }) => void socket?.destroy(),
  garbage: ({ socket }) => void socket?.end('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
  hang: () => {},
  'hang in body': (response) =>
    void response.writeHead(200, { 'content-length': FACES.length }).write(FACES.slice(0, 9)),
  cut(response) {
    response.writeHead(200, { 'content-length': FACES.length });
    response.write(FACES.slice(0, 9), () => response.socket?.end());
  },
  'cut chunks'(response) {
    response.writeHead(200, JSON_TYPE);
    response.write(FACES.slice(0, 9), () => response.socket?.end());
  },
  // JSON may begin with any number of spaces.
  drip(response) {
    response.writeHead(200, { 'content-length': DRIP.bytes + FACES.length });
    let left = DRIP.bytes;
    const timer = setInterval(() => {
      left -= 1;
      if (left >= 0) return response.write(' ');
      clearInterval(timer);
      response.end(FACES);
    }, DRIP.everyMs);
    response.once('close', () => clearInterval(timer));
  },
  nest: (response) => void response.writeHead(200, JSON_TYPE).end('['.repeat(200_000)),
};

/** @param {import('node:http').ServerResponse} response @param {Reply} reply */
function send(response, reply) {
  if (typeof reply === 'string') return KINDS[reply]?.(response);
  const { status, error, reason, headers } = reply;
  const refusal = { success: false, error: { code: error, message: 'No.', reason }, requestId: 'req_1' };
  response.writeHead(status, { ...JSON_TYPE, ...headers }).end(reply.text ?? JSON.stringify(refusal));
}

/** @param {import('node:net').Server} server @param {number} [port] */
async function listen(server, port = 0) {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/** A port that nobody listens at. */
async function closedPort() {
  const server = createTcpServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

export class FailureServer {
  /** Idempotency-Keys of the attempts, by scenario. @type {Map<string, (string | undefined)[]>} */
  attempts = new Map();
  /** @type {Map<string, readonly Reply[]>} */
  #replies = new Map();
  /** Ports by scenario that open once it begins. @type {Map<string, number>} */
  #opening = new Map();
  #server = createServer((request, response) => void this.#respond(request, response));
  // Its handshakes fail, because it has no certificate.
  #tls = createTlsServer().on('tlsClientError', () => {});
  /** @type {import('node:http').Server[]} */
  #opened = [];
  #ports = { plain: 0, tls: 0 };

  async start() {
    this.#ports = { plain: await listen(this.#server), tls: await listen(this.#tls) };
  }

  /** The address for a scenario. @param {{ name: string, server?: string, replies?: readonly Reply[] }} scenario */
  async addressFor({ name, server, replies = [] }) {
    const path = `/${encodeURIComponent(name)}/v1`;
    this.#replies.set(path, replies);
    this.attempts.set(name, []);
    const { plain, tls } = this.#ports;
    if (server === 'plain for TLS') return `https://127.0.0.1:${plain}${path}`;
    if (server === 'TLS') return `https://127.0.0.1:${tls}${path}`;
    if (server === undefined) return `http://127.0.0.1:${plain}${path}`;
    const port = await closedPort();
    if (server === 'opens later') this.#opening.set(name, port);
    return `http://127.0.0.1:${port}${path}`;
  }

  /** Called when a program begins with a scenario. @param {string} name */
  begin(name) {
    const port = this.#opening.get(name);
    if (port === undefined) return;
    const server = createServer((_request, response) => KINDS.faces?.(response));
    this.#opened.push(server);
    setTimeout(() => server.listen(port, '127.0.0.1'), OPENS_AFTER_MS);
  }

  stop() {
    for (const server of [this.#server, ...this.#opened]) {
      server.close();
      server.closeAllConnections();
    }
    this.#tls.close();
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #respond(request, response) {
    const path = (request.url ?? '').replace(/\/detect$/, '');
    const replies = this.#replies.get(path) ?? [];
    const attempts = this.attempts.get(decodeURIComponent(path.split('/')[1] ?? '')) ?? [];
    attempts.push(request.headers['idempotency-key']?.toString());
    request.on('error', () => {});
    for await (const _piece of request);
    const reply = replies[Math.min(attempts.length, replies.length) - 1] ?? { status: 404, text: 'Not here' };
    // HTTP libraries repeat a request themselves if a connection that they kept fails. Behind `Connection: close`, the fetch
    // of Node.js takes a body in chunks that was cut for a whole one.
    response.shouldKeepAlive = reply === 'cut chunks';
    send(response, reply);
  }
}
