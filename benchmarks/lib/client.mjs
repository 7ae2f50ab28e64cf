/**
 * HTTP client of the inference tier: keep-alive, binary bodies, one function per operation of its wire. It asks a gateway
 * as well, in JSON.
 */
import { Agent, request } from 'node:http';
import { Skip } from './skip.mjs';

/**
 * A request that can be sent again and again.
 * @typedef {object} Job
 * @property {string} path
 * @property {Uint8Array} body
 * @property {Record<string, string>} headers
 * @property {number} images pictures that it holds
 */

/** @param {Uint8Array} image @param {string} [attributes] `all` or a list @returns {Job} */
export const detectJob = (image, attributes) => ({
  path: '/detect',
  body: image,
  headers: attributes ? { 'x-attributes': attributes } : {},
  images: 1,
});

/** @param {Uint8Array} source @param {Uint8Array} target @returns {Job} */
export const compareJob = (source, target) => ({
  path: '/compare',
  body: Buffer.concat([source, target]),
  headers: { 'x-part-lengths': `${source.length},${target.length}` },
  images: 2,
});

/**
 * @param {Uint8Array} image
 * @param {{ categories?: readonly string[], prototypes?: Uint8Array }} [wanted] built-in categories, default all;
 *   encoded prototypes of custom ones
 * @returns {Job}
 */
export const moderateJob = (image, { categories, prototypes } = {}) => ({
  path: categories ? `/moderate?categories=${categories.join()}` : '/moderate',
  body: prototypes ? Buffer.concat([image, prototypes]) : image,
  headers: prototypes ? { 'x-part-lengths': `${image.length},${prototypes.length}` } : {},
  images: 1,
});

/** What nsfwjs tells too. */
export const withoutObjects = { categories: ['Explicit', 'Suggestive'] };

/** @param {readonly Uint8Array[]} examples @returns {Job} */
export const prototypeJob = (examples) => ({
  path: '/prototype',
  body: Buffer.concat(examples),
  headers: { 'x-part-lengths': examples.map(({ length }) => length).join() },
  images: examples.length,
});

/**
 * @param {readonly Uint8Array[]} images
 * @param {readonly number[]} times in milliseconds, one for each
 * @param {readonly string[]} [challenges] as the wire has them: `left@200-1400`
 * @returns {Job}
 */
export const framesJob = (images, times, challenges = []) => ({
  path: '/frames',
  body: Buffer.concat(images),
  headers: {
    'x-part-lengths': images.map(({ length }) => length).join(),
    'x-frame-times': times.join(),
    ...(challenges.length > 0 && { 'x-challenges': challenges.join() }),
  },
  images: images.length,
});

/**
 * A question to a gateway, as most clients send it.
 * @param {string} apiKey
 * @param {{ path: string, body: object, images: number }} asked
 * @returns {Job}
 */
export const apiJob = (apiKey, { path, body, images }) => ({
  path,
  body: Buffer.from(JSON.stringify(body)),
  headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
  images,
});

export class Client {
  /** @param {string} url */
  constructor(url) {
    this.url = url;
    this.agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  }

  /**
   * @param {Job} job
   * @returns {Promise<{ status: number, body: Buffer, ms: number }>}
   */
  send({ path, body, headers }) {
    const begin = performance.now();
    return new Promise((resolve, reject) => {
      const options = {
        method: 'POST',
        agent: this.agent,
        headers: { 'content-type': 'application/octet-stream', 'content-length': body.length, ...headers },
      };
      const outgoing = request(`${this.url}${path}`, options, (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
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
   * Sends a job and reads the answer.
   * @param {Job} job
   * @param {readonly number[]} [accepted] statuses that are answers
   * @returns {Promise<{ status: number, reply: any, ms: number }>}
   * @throws Skip when the tier does not have this operation; Error for any other status
   */
  async ask(job, accepted = [200]) {
    const { status, body, ms } = await this.send(job);
    if (accepted.includes(status)) return { status, reply: JSON.parse(body.toString('utf8')), ms };
    if (status === 404) throw new Skip(`The inference tier built here does not have POST ${job.path}.`);
    throw new Error(`POST ${job.path} answered ${status}: ${body.toString('utf8', 0, 300)}`);
  }

  close() {
    this.agent.destroy();
  }
}

/**
 * Runs `work` for every item, at most `concurrency` at a time; answers in the order of the items.
 * @template T, R
 * @param {readonly T[]} items
 * @param {number} concurrency
 * @param {(item: T, index: number) => Promise<R>} work
 * @returns {Promise<R[]>}
 */
export async function mapConcurrently(items, concurrency, work) {
  /** @type {R[]} */
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
 * @throws Error when an answer is not 200, since refused work would look fast
 */
export async function saturate(client, { jobs, concurrency, seconds }) {
  const begin = performance.now();
  const cpu = process.cpuUsage();
  let sent = 0;
  let images = 0;
  const more = () => sent % jobs.length !== 0 || performance.now() - begin < seconds * 1e3;
  const lane = async () => {
    while (more()) {
      const job = jobs[sent++ % jobs.length];
      const { status, body } = await client.send(job);
      if (status !== 200) {
        throw new Error(`POST ${job.path} answered ${status} under load: ${body.toString('utf8', 0, 300)}`);
      }
      images += job.images;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const elapsed = (performance.now() - begin) / 1e3;
  const { user, system } = process.cpuUsage(cpu);
  return {
    requests: sent,
    images,
    seconds: elapsed,
    imagesPerSecond: images / elapsed,
    /** Processor time that this client took from the same machine, in cores. */
    clientCores: (user + system) / 1e6 / elapsed,
  };
}
