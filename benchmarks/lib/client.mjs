/**
 * Keep-alive HTTP client of the inference tier, with one job per operation of its wire protocol. It sends JSON to a gateway
 * as well.
 */
import { Agent, request } from 'node:http';

/** A request that can be repeated. @typedef {{ path: string, body: Uint8Array, headers: Record<string, string>, images: number }} Job */

/** @param {Uint8Array} image @param {string} [attributes] `all` or a list @returns {Job} */
export const detectJob = (image, attributes) => ({
  path: '/detect',
  body: image,
  headers: attributes ? { 'x-attributes': attributes } : {},
  images: 1,
});

/** @param {readonly Uint8Array[]} parts */
const lengthsOf = (parts) => ({ 'x-part-lengths': parts.map(({ length }) => length).join() });

/** @param {Uint8Array} source @param {Uint8Array} target @returns {Job} */
export const compareJob = (source, target) => ({
  path: '/compare',
  body: Buffer.concat([source, target]),
  headers: lengthsOf([source, target]),
  images: 2,
});

/** @param {Uint8Array} image @param {{ categories?: readonly string[] }} [options] default: all categories @returns {Job} */
export const moderateJob = (image, { categories } = {}) => ({
  path: categories ? `/moderate?categories=${categories.join()}` : '/moderate',
  body: image,
  headers: {},
  images: 1,
});

/** The categories that nsfwjs has too. */
export const withoutObjects = { categories: ['Explicit', 'Suggestive'] };

/**
 * @param {readonly Uint8Array[]} images
 * @param {readonly number[]} times in milliseconds, one for each
 * @param {readonly string[]} [challenges] such as `left@200-1400`
 * @returns {Job}
 */
export const framesJob = (images, times, challenges = []) => ({
  path: '/frames',
  body: Buffer.concat(images),
  headers: {
    ...lengthsOf(images),
    'x-frame-times': times.join(),
    ...(challenges.length > 0 && { 'x-challenges': challenges.join() }),
  },
  images: images.length,
});

/**
 * A request to a gateway, as most clients send it.
 * @param {string} apiKey
 * @param {{ path: string, body: object, images: number }} operation
 * @returns {Job}
 */
export const apiJob = (apiKey, { path, body, images }) => ({
  path,
  body: Buffer.from(JSON.stringify(body)),
  headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
  images,
});

export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

  /** @param {string} url */
  constructor(url) {
    this.url = url;
  }

  /** @param {Job} job @returns {Promise<{ status: number, body: Buffer, ms: number }>} */
  send({ path, body, headers }) {
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
    const { status, body, ms } = await this.send(job);
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

/**
 * Keeps `concurrency` requests in flight for whole passes over the jobs, until `seconds` have passed: every job counts
 * equally often, whatever it costs.
 * @param {Client} client
 * @param {{ jobs: readonly Job[], concurrency: number, seconds: number }} options
 * @throws Error for a status other than 200: rejected work would look fast
 */
export async function saturate(client, { jobs, concurrency, seconds }) {
  const begin = performance.now();
  const cpu = process.cpuUsage();
  let [sent, images] = [0, 0];
  const more = () => sent % jobs.length !== 0 || performance.now() - begin < seconds * 1e3;
  const lane = async () => {
    while (more()) {
      const job = jobs[sent++ % jobs.length];
      const { status, body } = await client.send(job);
      if (status !== 200)
        throw new Error(
          `POST ${job.path} responded with ${status} under load: ${body.toString('utf8', 0, 300)}`,
        );
      images += job.images;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const elapsed = (performance.now() - begin) / 1e3;
  const { user, system } = process.cpuUsage(cpu);
  /** `clientCores`: processor time that this client took from the same machine. */
  return {
    requests: sent,
    images,
    seconds: elapsed,
    imagesPerSecond: images / elapsed,
    clientCores: (user + system) / 1e6 / elapsed,
  };
}
