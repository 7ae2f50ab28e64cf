/** Requests of clients during the faults: a steady part of every minute, and floods that cause alerts by themselves. */
import { connect } from 'node:net';
import { drive } from '../../../gateway/harness/index.mjs';

/** Longer than the deadline of a gateway. */
const PATIENCE_MS = 30_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * One call. A client that gets no response counts as status 0.
 * @param {string} url
 * @param {{ token?: string, body?: Buffer | string, headers?: Record<string, string>, method?: string }} [call]
 * @returns {Promise<{ status: number, body: any, retryAfter: string | null }>}
 */
export async function send(url, { token, body, headers = JSON_TYPE, method = 'POST' } = {}) {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: /** @type {any} */ (body) }),
    });
    const text = await response.text();
    const parsed = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: response.status, body: parsed, retryAfter: response.headers.get('retry-after') };
  } catch {
    return { status: 0, body: {}, retryAfter: null };
  }
}

/**
 * Sends calls at a steady rate until it is stopped.
 * @param {number} perSecond
 * @param {(number: number) => Promise<unknown>} send
 */
export function steadily(perSecond, send) {
  const stopping = new AbortController();
  const driven = drive({ perSecond, send, signal: stopping.signal });
  return async () => {
    stopping.abort();
    await driven;
  };
}

/**
 * Clients that send one call after the other until they are stopped, and wait a second after a refusal, as Retry-After
 * says.
 * @param {number} clients
 * @param {() => Promise<{ retryAfter: string | null }>} send
 */
export function crowd(clients, send) {
  let stopped = false;
  const all = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!stopped) {
        const { retryAfter } = await send();
        if (retryAfter !== null)
          await new Promise((resolve) => setTimeout(resolve, 1e3 * Number(retryAfter)));
      }
    }),
  );
  return async () => {
    stopped = true;
    await all;
  };
}

/**
 * Connections that repeat one request as fast as the server responds, with little processor time of their own.
 * @param {string} url @param {number} connections @param {Record<string, string>} headers
 */
export function flood(url, connections, headers) {
  const { hostname, port, pathname, host } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const request = `GET ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  let stopped = false;
  const sockets = Array.from({ length: connections }, function open() {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request));
    // The responses are small, so each arrives in one piece.
    socket.on('data', () => !stopped && socket.write(request)).on('error', () => {});
    return socket;
  });
  return () => {
    stopped = true;
    for (const socket of sockets) socket.destroy();
  };
}
