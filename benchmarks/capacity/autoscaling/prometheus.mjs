/** The part of Prometheus that KEDA asks, with samples of the modeled tier. */
import { createServer } from 'node:http';

/** The window of the ScaledObject's rate. */
const WINDOW_SECONDS = 60;

/** @typedef {{ second: number, queue: number, modelSeconds: number, threads: number }} Sample of all pods together */

/** The queries of the ScaledObject see samples as old as the last scrape. */
export class Scrapes {
  /** @type {Sample[]} */
  #samples = [];

  /** @param {Sample} sample */
  add(sample) {
    const oldest = sample.second - WINDOW_SECONDS;
    this.#samples = [...this.#samples.filter(({ second }) => second > oldest), sample];
  }

  /** @returns {number | undefined} */
  queue() {
    return this.#samples.at(-1)?.queue;
  }

  /** The fraction of their time that workers spent in models within the window. @returns {number | undefined} */
  busy() {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.threads === 0) return undefined;
    const seconds = last.second - first.second;
    return seconds > 0 ? (last.modelSeconds - first.modelSeconds) / seconds / last.threads : 0;
  }
}

/**
 * @param {ReadonlyMap<string, () => number | undefined>} values by query; without a value the result is empty
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function servePrometheus(values) {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const query = url.searchParams.get('query') ?? '';
    const value = values.get(query);
    const known = url.pathname === '/api/v1/query' && value;
    response.writeHead(known ? 200 : 400, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify(
        known
          ? { status: 'success', data: { resultType: 'vector', result: resultOf(value()) } }
          : { status: 'error', errorType: 'bad_data', error: `unknown query: ${query}` },
      ),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @param {number | undefined} value */
const resultOf = (value) =>
  value === undefined ? [] : [{ metric: {}, value: [Date.now() / 1e3, String(value)] }];
