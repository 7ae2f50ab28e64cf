/** A client that wants an answer: it repeats what failed, under the same idempotency key, at one gateway or the other. */
import { Agent, request } from 'node:http';

/**
 * @typedef {object} Operation
 * @property {string} key idempotency key
 * @property {string} path
 * @property {Buffer} body
 * @property {readonly string[]} products what each of its parts uses if it succeeds
 */

/**
 * @typedef {object} Pursued
 * @property {Operation} operation
 * @property {boolean[]} succeeded for each part, whether an answer said so
 * @property {Record<string, number>} answers by status or code of failure, all attempts
 * @property {number} at when the last answer came, in ms of performance.now()
 */

const ATTEMPT_MS = 20_000;
const LONGEST_WAIT_MS = 2_000;
/** Of an error, or of a part of a batch: another attempt may succeed. */
const passing = new Set([408, 409, 429, 500, 502, 503, 504]);

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Client {
  /**
   * @param {readonly string[]} urls of the gateways
   * @param {string} apiKey
   * @param {ReturnType<typeof import('../lib/random.mjs').randomFrom>} random
   */
  constructor(urls, apiKey, random) {
    this.urls = urls;
    this.apiKey = apiKey;
    this.random = random;
    this.agent = new Agent({ keepAlive: true });
  }

  /** @param {Operation} operation @returns {Promise<Pursued>} once each part has an answer that stands */
  async pursue(operation) {
    const pursued = {
      operation,
      succeeded: operation.products.map(() => false),
      answers: /** @type {Record<string, number>} */ ({}),
      at: 0,
    };
    const first = this.random.whole(0, this.urls.length);
    for (let attempt = 0; ; attempt++) {
      const url = this.urls[(first + attempt) % this.urls.length];
      const answer = await this.send(url, operation).catch((error) => ({
        failure: error.code ?? error.name,
      }));
      const name = 'failure' in answer ? answer.failure : String(answer.status);
      pursued.answers[name] = (pursued.answers[name] ?? 0) + 1;
      pursued.at = performance.now();
      if (!('failure' in answer) && settle(pursued, answer)) return pursued;
      const retryMs = 'failure' in answer ? undefined : answer.retryMs;
      const backoffMs = 50 * 2 ** Math.min(attempt, 5) * (0.5 + this.random.next());
      await pause(Math.min(retryMs ?? backoffMs, LONGEST_WAIT_MS));
    }
  }

  /**
   * @param {string} url
   * @param {Operation} operation
   * @returns {Promise<{ status: number, body: any, retryMs: number | undefined }>}
   */
  send(url, { path, body, key }) {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${this.apiKey}`,
        'content-type': 'application/json',
        'content-length': body.length,
        'idempotency-key': key,
      };
      const signal = AbortSignal.timeout(ATTEMPT_MS);
      const outgoing = request(
        `${url}${path}`,
        { method: 'POST', agent: this.agent, headers, signal },
        (response) => {
          /** @type {Buffer[]} */
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
          response.on('end', () => {
            const seconds = response.headers['retry-after'];
            resolve({
              status: response.statusCode ?? 0,
              body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
              retryMs: seconds === undefined ? undefined : 1e3 * Number(seconds),
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close() {
    this.agent.destroy();
  }
}

/**
 * Takes what an answer says of each part.
 * @param {Pursued} pursued
 * @param {{ status: number, body: any }} answer
 * @returns whether nothing is left to ask again
 */
function settle({ operation, succeeded }, { status, body }) {
  if (status !== 200) return !passing.has(status);
  if (operation.path !== '/batch') {
    succeeded[0] = true;
    return true;
  }
  for (const { index, success } of body.data.results) if (success) succeeded[index] = true;
  return !body.data.results.some((/** @type {any} */ one) => !one.success && passing.has(one.status));
}
