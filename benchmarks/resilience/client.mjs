/** A client that wants an answer: it repeats what failed, under the same idempotency key, at one gateway or the other. */
import { Agent, request } from 'node:http';
import { agree, numbersOf } from './truth.mjs';

/**
 * @typedef {object} Operation
 * @property {string} key idempotency key
 * @property {string} path
 * @property {Buffer} body
 * @property {readonly string[]} products what each of its parts uses if it succeeds
 * @property {readonly string[]} questions by which the answer to each of its parts is known
 */

/**
 * @typedef {object} Attempt
 * @property {number} from when it was sent, in ms of performance.now()
 * @property {number} to when it was answered or failed
 * @property {string} name status with its reason, or code of failure
 * @property {boolean} failed whether it had to be made again
 * @property {number | undefined} retryMs what Retry-After said
 */

/**
 * @typedef {object} Pursued
 * @property {Operation} operation
 * @property {boolean[]} succeeded for each part, whether an answer said so
 * @property {Record<string, number>} answers by status or code of failure, all attempts
 * @property {Attempt[]} attempts
 * @property {boolean} lost whether it was given up
 * @property {string[]} wrong answers that differ from the truth, where it is known
 * @property {number} defects answers, or parts of a batch's, of status 500: no fault of another part excuses one
 * @property {number} at when the last answer came, in ms of performance.now()
 */

/**
 * @typedef {object} Patience
 * @property {number} attemptMs for one answer
 * @property {number} longestWaitMs between two attempts, whatever Retry-After says
 * @property {number} giveUpMs for an operation as a whole
 */

/** Of kills, where the time until the next attempt is no part of the question. */
const impatient = { attemptMs: 20_000, longestWaitMs: 2_000, giveUpMs: Number.POSITIVE_INFINITY };
/** Of an error, or of a part of a batch: another attempt may succeed. */
const passing = new Set([408, 409, 429, 500, 502, 503, 504]);

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Status, and the reason of one that may pass. @param {{ status: number, body: any }} answer */
const nameOf = ({ status, body }) =>
  passing.has(status) && body.error?.reason ? `${status} ${body.error.reason}` : String(status);

export class Client {
  /**
   * @param {readonly string[]} urls of the gateways
   * @param {string} apiKey
   * @param {ReturnType<typeof import('../lib/random.mjs').randomFrom>} random
   * @param {Partial<Patience> & { truth?: import('./truth.mjs').Truth }} [options]
   */
  constructor(urls, apiKey, random, { truth, ...patience } = {}) {
    this.urls = urls;
    this.apiKey = apiKey;
    this.random = random;
    this.truth = truth;
    this.patience = { ...impatient, ...patience };
    this.agent = new Agent({ keepAlive: true });
  }

  /** @param {Operation} operation @returns {Promise<Pursued>} once each part has an answer that stands, or is given up */
  async pursue(operation) {
    /** @type {Pursued} */
    const pursued = {
      operation,
      succeeded: operation.products.map(() => false),
      answers: {},
      attempts: [],
      lost: false,
      wrong: [],
      defects: 0,
      at: 0,
    };
    const { giveUpMs, longestWaitMs } = this.patience;
    const first = this.random.whole(0, this.urls.length);
    const begin = performance.now();
    for (let number = 0; ; number++) {
      const { done, retryMs } = await this.attempt(pursued, this.urls[(first + number) % this.urls.length]);
      if (done) return pursued;
      const backoffMs = 50 * 2 ** Math.min(number, 5) * (0.5 + this.random.next());
      const waitMs = Math.min(retryMs ?? backoffMs, longestWaitMs);
      if (performance.now() + waitMs - begin > giveUpMs) {
        pursued.lost = true;
        return pursued;
      }
      await pause(waitMs);
    }
  }

  /** @param {Pursued} pursued @param {string} url */
  async attempt(pursued, url) {
    const from = performance.now();
    const answer = await this.send(url, pursued.operation).catch((error) => ({
      failure: String(error.code ?? error.name),
    }));
    const to = performance.now();
    const name = 'failure' in answer ? answer.failure : nameOf(answer);
    const retryMs = 'failure' in answer ? undefined : answer.retryMs;
    const done = !('failure' in answer) && this.settle(pursued, answer);
    pursued.answers[name] = (pursued.answers[name] ?? 0) + 1;
    pursued.attempts.push({ from, to, name, failed: !done, retryMs });
    pursued.at = to;
    return { done, retryMs };
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
      const signal = AbortSignal.timeout(this.patience.attemptMs);
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

  /**
   * Takes what an answer says of each part.
   * @param {Pursued} pursued
   * @param {{ status: number, body: any }} answer
   * @returns whether nothing is left to ask again
   */
  settle(pursued, { status, body }) {
    const { operation, succeeded } = pursued;
    if (status === 500) pursued.defects++;
    if (operation.path !== '/batch') {
      if (passing.has(status)) return false;
      succeeded[0] ||= status === 200;
      this.compare(pursued, 0, { status, data: body.data });
      return true;
    }
    if (status !== 200) return !passing.has(status);
    for (const part of body.data.results) {
      if (part.success) succeeded[part.index] = true;
      if (part.status === 500) pursued.defects++;
      if (!passing.has(part.status)) this.compare(pursued, part.index, part);
    }
    return !body.data.results.some((/** @type {any} */ one) => !one.success && passing.has(one.status));
  }

  /** @param {Pursued} pursued @param {number} index @param {{ status: number, data?: any }} part */
  compare({ operation, wrong }, index, { status, data }) {
    const question = operation.questions[index];
    const expected = this.truth?.get(question);
    if (!expected) return;
    const numbers = status === 200 ? numbersOf(question, data) : [];
    if (!agree(expected, { status, numbers }))
      wrong.push(
        `${question.split(' ')[0]}: ${status} [${numbers}], not ${expected.status} [${expected.numbers}]`,
      );
  }

  close() {
    this.agent.destroy();
  }
}
