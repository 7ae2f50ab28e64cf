/** A receiver of webhooks with a chosen behavior, and events for it: sessions that are created and canceled. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { FaultProxy, waitUntil } from '../../gateway/harness/index.mjs';

/** @typedef {Awaited<ReturnType<typeof startReceiver>>} Receiver */

export const healthy = (response) => response.end('{"status":"received"}');

/** @param {string} name */
export async function startReceiver(name) {
  /** When each session's events were accepted, in ms of performance.now(). @type {Map<string, number[]>} */
  const received = new Map();
  let attempts = 0;
  const state = { respond: healthy };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    attempts += 1;
    const { sessionId } = JSON.parse(Buffer.concat(chunks).toString());
    response.once('finish', () => {
      if (response.statusCode >= 300) return;
      received.set(sessionId, [...(received.get(sessionId) ?? []), performance.now()]);
    });
    state.respond(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const proxy = await FaultProxy.listen(port);
  return {
    name,
    url: `http://127.0.0.1:${proxy.port}/hook`,
    proxy,
    received,
    state,
    attempts: () => attempts,
    async close() {
      await proxy.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @param {readonly Receiver[]} receivers @param {ReadonlyMap<string, number>} events by session @param {number} timeoutMs */
export const untilReceived = (receivers, events, timeoutMs) =>
  waitUntil(
    'every receiver has every event',
    () => receivers.every(({ received }) => [...events.keys()].every((id) => received.has(id))),
    { timeoutMs, intervalMs: 200 },
  ).catch(() => {}); // the caller counts what is missing

/**
 * Creates and cancels sessions at a steady rate.
 * @param {readonly string[]} urls of the gateways
 * @param {string} apiKey
 * @param {number} perSecond
 */
export function startEvents(urls, apiKey, perSecond) {
  /** When each session was canceled. @type {Map<string, number>} */
  const created = new Map();
  const pending = new Set();
  let [failures, number] = [0, 0];
  const timer = setInterval(() => {
    const session = canceledSession(urls[number++ % urls.length], apiKey)
      .then((id) => created.set(id, performance.now()))
      .catch(() => {
        failures += 1;
      })
      .finally(() => pending.delete(session));
    pending.add(session);
  }, 1e3 / perSecond);
  return {
    created,
    failures: () => failures,
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
    },
  };
}

/** @param {string} url @param {string} apiKey @returns {Promise<string>} id of a session that is canceled */
async function canceledSession(url, apiKey) {
  const { sessionId, accessToken } = await post(`${url}/liveness`, apiKey);
  await post(`${url}/liveness/${sessionId}/cancel`, accessToken);
  return sessionId;
}

async function post(url, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(10_000),
  });
  const { data, error } = /** @type {any} */ (await response.json());
  if (response.status !== 200)
    throw new Error(`${new URL(url).pathname} responded with ${response.status} ${error?.code}`);
  return data;
}
