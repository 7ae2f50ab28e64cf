/** Keep-alive HTTP client of the inference tier, with a job for each operation that a replay needs. */
import { Agent, request } from 'node:http';

/** A request that can be repeated. @typedef {{ path: string, body: Uint8Array, headers: Record<string, string> }} Job */

/** @param {Uint8Array} image @param {string} [attributes] `all` or a list @returns {Job} */
export const detectJob = (image, attributes) => ({
  path: '/detect',
  body: image,
  headers: attributes ? { 'x-attributes': attributes } : {},
});

/** @param {readonly Uint8Array[]} parts */
export const lengthsOf = (parts) => ({ 'x-part-lengths': parts.map(({ length }) => length).join() });

/**
 * @param {readonly Uint8Array[]} images
 * @param {readonly number[]} times in milliseconds, one for each
 * @param {readonly string[]} [challenges] such as `left@200-1400`
 * @param {import('@presenza/inference/wire').Light} [light] of the page
 * @returns {Job}
 */
export const framesJob = (images, times, challenges = [], light = undefined) => ({
  path: '/frames',
  body: Buffer.concat(images),
  headers: {
    ...lengthsOf(images),
    'x-frame-times': times.join(),
    ...(challenges.length > 0 && { 'x-challenges': challenges.join() }),
    ...(light && {
      'x-light-colors': light.colors.map((color) => Buffer.from(color).toString('hex')).join(),
      'x-frame-lights': light.shown.map(({ index, sinceMs }) => `${index}+${sinceMs}`).join(),
    }),
  },
});

export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

  /** @param {string} url */
  constructor(url) {
    this.url = url;
  }

  /** @param {Job} job @returns {Promise<{ status: number, body: Buffer, ms: number }>} */
  #send({ path, body, headers }) {
    const begin = performance.now();
    return new Promise((resolve, reject) => {
      const options = {
        method: 'POST',
        agent: this.#agent,
        headers: { 'content-type': 'application/octet-stream', 'content-length': body.length, ...headers },
      };
      const outgoing = request(`${this.url}${path}`, options, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks),
            ms: performance.now() - begin,
          }),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /**
   * Sends a job and parses the response.
   * @param {Job} job
   * @param {readonly number[]} [accepted] statuses
   * @returns {Promise<{ status: number, reply: any, ms: number }>}
   * @throws Error for any other status
   */
  async request(job, accepted = [200]) {
    const { status, body, ms } = await this.#send(job);
    if (accepted.includes(status)) return { status, reply: JSON.parse(body.toString('utf8')), ms };
    throw new Error(`POST ${job.path} responded with ${status}: ${body.toString('utf8', 0, 300)}`);
  }

  close() {
    this.#agent.destroy();
  }
}

/**
 * Runs `work` for every item, at most `concurrency` at a time. Results are in the order of the items.
 * @template T, R
 * @param {readonly T[]} items
 * @param {number} concurrency
 * @param {(item: T, index: number) => Promise<R>} work
 * @returns {Promise<R[]>}
 */
export async function mapConcurrently(items, concurrency, work) {
  const results = new Array(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return results;
}
