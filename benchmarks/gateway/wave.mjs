/** Many requests at the same moment, from a process of its own; what is refused for a while is repeated. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Wave
 * @property {readonly string[]} urls of the gateways, taken in turn
 * @property {string} path
 * @property {readonly Record<string, string>[]} headers of the accounts, taken in turn
 * @property {Uint8Array} body
 * @property {number} requests
 * @property {boolean} [repeat] whether a refusal, 429 or 503, is repeated after its Retry-After, until there is another
 *   answer
 */

/** @typedef {{ statuses: Record<string, number>, seconds: number }} Washed all attempts, by status or code of failure */

/** @param {Wave} wave @returns {Promise<Washed>} */
export async function applyWave(wave) {
  const child = fork(fileURLToPath(import.meta.url), ['--child'], { serialization: 'advanced' });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The wave ended with ${code}`);
  });
  child.send(wave);
  const [washed] = await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => {});
  return washed;
}

/** A connection that was cut while its body was still being sent was refused as well, only less legibly. */
const REFUSALS = ['429', '503', 'ECONNRESET', 'EPIPE'];

/** @param {Wave} wave @returns {Promise<Washed>} */
async function run({ requests, urls, headers, repeat = false, ...one }) {
  /** @type {Record<string, number>} */
  const statuses = {};
  const agent = new Agent({ keepAlive: true });
  const begin = performance.now();
  const ask = async (/** @type {number} */ i) => {
    const to = { ...one, url: urls[i % urls.length], headers: headers[i % headers.length] };
    for (;;) {
      const { status, retrySeconds } = await send(agent, to);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (!repeat || status === '200' || !REFUSALS.includes(status)) return;
      await new Promise((resolve) => setTimeout(resolve, 1e3 * retrySeconds * (1 + Math.random())));
    }
  };
  await Promise.all(Array.from({ length: requests }, (_, i) => ask(i)));
  agent.destroy();
  return { statuses, seconds: (performance.now() - begin) / 1e3 };
}

/**
 * @param {Agent} agent
 * @param {{ url: string, path: string, headers: Record<string, string>, body: Uint8Array }} what
 * @returns {Promise<{ status: string, retrySeconds: number }>}
 */
function send(agent, { url, path, headers, body }) {
  return new Promise((resolve) => {
    const options = { method: 'POST', agent, headers: { ...headers, 'Content-Length': body.length } };
    const outgoing = request(`${url}${path}`, options, (response) => {
      const status = String(response.statusCode);
      const retrySeconds = Number(response.headers['retry-after'] ?? 1);
      const done = () => resolve({ status, retrySeconds });
      response.resume().once('end', done).once('error', done);
    });
    outgoing.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      resolve({ status: error.code ?? error.name, retrySeconds: 1 }),
    );
    outgoing.end(body);
  });
}

if (process.argv[2] === '--child') {
  process.once('message', async (wave) => {
    const washed = await run(/** @type {Wave} */ (wave));
    process.send?.(washed, () => process.exit());
  });
}
