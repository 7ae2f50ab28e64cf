/** A receiver of webhooks that answers as it is told, and knows when it heard of which session. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { FaultProxy } from './proxy.mjs';

/** @typedef {(response: import('node:http').ServerResponse) => unknown} Answer */
/** @typedef {Awaited<ReturnType<typeof startReceiver>>} Receiver */

/** @type {Answer} */
export const well = (response) => response.end('{"status":"received"}');

/** @param {string} name */
export async function startReceiver(name) {
  /** When an attempt came that was answered 2xx, by session; each in ms of performance.now(). @type {Map<string, number[]>} */
  const heard = new Map();
  let attempts = 0;
  const state = { answer: well };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    attempts += 1;
    const { sessionId } = JSON.parse(Buffer.concat(chunks).toString());
    response.once('finish', () => {
      if (response.statusCode >= 300) return;
      heard.set(sessionId, [...(heard.get(sessionId) ?? []), performance.now()]);
    });
    state.answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const way = await FaultProxy.listen(/** @type {import('node:net').AddressInfo} */ (server.address()).port);
  return {
    name,
    url: `http://127.0.0.1:${way.port}/hook`,
    way,
    heard,
    state,
    attempts: () => attempts,
    async close() {
      await way.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
