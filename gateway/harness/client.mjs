// A client like an integrator's: it retries failed requests after Retry-After, with the same idempotency key, at the
// next gateway, and keeps a record for the audit.

import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @typedef {object} Operation
 * @property {string} key idempotency key
 * @property {string} path
 * @property {Buffer} body JSON
 * @property {readonly string[]} products billed for each part that succeeds
 *
 * @typedef {object} Attempt
 * @property {number} from when the request was sent, in ms of performance.now()
 * @property {number} to when the response came, or the request failed
 * @property {string} name status with its reason, or the code of a failure
 * @property {boolean} failed whether the operation had to be retried
 * @property {number | undefined} retryMs from Retry-After
 *
 * @typedef {object} Outcome
 * @property {Operation} operation
 * @property {boolean[]} succeeded by part of the operation
 * @property {Attempt[]} attempts
 * @property {boolean} lost whether the client gave up
 * @property {number} defects responses, or parts of a batch, with status 500, which is a bug even while another part
 * fails
 * @property {number} endedAt in ms of performance.now()
 *
 * @callback OnResult
 * @param {Operation} operation
 * @param {number} part index of the part of a batch, 0 for other operations
 * @param {{ status: number, data?: any }} result
 * @returns {void}
 *
 * @typedef {object} Patience
 * @property {number} attemptMs for one response
 * @property {number} longestWaitMs between two attempts, even if Retry-After is longer
 * @property {number} giveUpMs for an operation as a whole
 */

/** Errors, of a response or of a part of a batch, after which another attempt may succeed. */
export const RETRYABLE = new Set([408, 409, 429, 500, 502, 503, 504]);

/** @type {Patience} */
const DEFAULT_PATIENCE = { attemptMs: 20_000, longestWaitMs: 2_000, giveUpMs: Number.POSITIVE_INFINITY };

export class RetryingClient {
  #agent = new Agent({ keepAlive: true });

  /**
   * @param {readonly string[]} urls of the gateways
   * @param {string} apiKey
   * @param {Partial<Patience> & { random?: () => number, onResult?: OnResult }} [options] random: as Math.random;
   *   onResult: called with each result that no retry changes
   */
  constructor(urls, apiKey, { random = Math.random, onResult = () => {}, ...patience } = {}) {
    this.urls = urls;
    this.apiKey = apiKey;
    this.random = random;
    this.onResult = onResult;
    this.patience = { ...DEFAULT_PATIENCE, ...patience };
  }

  /**
   * Sends an operation until each part has a final result or the time is up.
   * @param {Operation} operation
   * @returns {Promise<Outcome>}
   */
  async pursue(operation) {
    /** @type {Outcome} */
    const outcome = {
      operation,
      succeeded: operation.products.map(() => false),
      attempts: [],
      lost: false,
      defects: 0,
      endedAt: 0,
    };
    const { giveUpMs, longestWaitMs } = this.patience;
    const first = Math.floor(this.random() * this.urls.length);
    const begin = performance.now();
    for (let number = 0; ; number++) {
      const url = /** @type {string} */ (this.urls[(first + number) % this.urls.length]);
      const { isFinal, retryMs } = await this.#attempt(outcome, url);
      if (isFinal) return outcome;
      const backoffMs = 50 * 2 ** Math.min(number, 5) * (0.5 + this.random());
      const waitMs = Math.min(retryMs ?? backoffMs, longestWaitMs);
      if (performance.now() + waitMs - begin > giveUpMs) {
        outcome.lost = true;
        return outcome;
      }
      await delay(waitMs);
    }
  }

  /** @param {Outcome} outcome @param {string} url */
  async #attempt(outcome, url) {
    const from = performance.now();
    const response = await this.#send(url, outcome.operation).catch((error) => ({
      failure: String(error.code ?? error.name),
    }));
    const to = performance.now();
    const failed = 'failure' in response;
    const isFinal = !failed && settle(outcome, response, this.onResult);
    const retryMs = failed ? undefined : response.retryMs;
    const name = failed ? response.failure : nameOf(response);
    outcome.attempts.push({ from, to, name, failed: !isFinal, retryMs });
    outcome.endedAt = to;
    return { isFinal, retryMs };
  }

  /**
   * @param {string} url
   * @param {Operation} operation
   * @returns {Promise<{ status: number, body: any, retryMs: number | undefined }>}
   * @throws SyntaxError when the body is no JSON
   */
  async #send(url, operation) {
    const { status, retryAfter, text } = await this.#exchange(url, operation);
    const retryMs = retryAfter === undefined ? undefined : 1e3 * Number(retryAfter);
    return { status, body: JSON.parse(text), retryMs };
  }

  /**
   * @param {string} url
   * @param {Operation} operation
   * @returns {Promise<{ status: number, retryAfter: string | undefined, text: string }>}
   */
  #exchange(url, { path, body, key }) {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${this.apiKey}`,
        'content-type': 'application/json',
        'content-length': body.length,
        'idempotency-key': key,
      };
      const signal = AbortSignal.timeout(this.patience.attemptMs);
      const options = { method: 'POST', agent: this.#agent, headers, signal };
      const outgoing = request(`${url}${path}`, options, (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers['retry-after'],
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

/**
 * Takes over the result of each part.
 * @param {Outcome} outcome
 * @param {{ status: number, body: any }} response
 * @param {OnResult} onResult
 * @returns {boolean} whether the response is final
 */
function settle(outcome, { status, body }, onResult) {
  const { operation } = outcome;
  if (status === 500) outcome.defects += 1;
  if (RETRYABLE.has(status)) return false;
  if (operation.path !== '/batch') {
    outcome.succeeded[0] ||= status === 200;
    onResult(operation, 0, { status, data: body.data });
    return true;
  }
  if (status !== 200) return true;
  for (const part of body.data.results) {
    if (part.success) outcome.succeeded[part.index] = true;
    if (part.status === 500) outcome.defects += 1;
    if (!RETRYABLE.has(part.status)) onResult(operation, part.index, part);
  }
  return body.data.results.every((/** @type {any} */ part) => part.success || !RETRYABLE.has(part.status));
}

/** Status, with the reason of an error that may pass. @param {{ status: number, body: any }} response @returns {string} */
function nameOf({ status, body }) {
  if (RETRYABLE.has(status)) return body.error?.reason ? `${status} ${body.error.reason}` : String(status);
  const part = body.data?.results?.find((/** @type {any} */ result) => RETRYABLE.has(result.status));
  return part ? `${status}, a part ${nameOf({ status: part.status, body: part })}` : String(status);
}
