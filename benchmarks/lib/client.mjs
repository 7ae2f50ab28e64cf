/**
 * The client of the inference tier that the evaluation uses, with a job for each further operation. It can also send JSON to
 * a gateway.
 */
import { saturate } from '../../gateway/harness/index.mjs';
import { lengthsOf } from '../../inference/src/evaluation/liveness/tier-client.mjs';

export {
  Client,
  detectJob,
  framesJob,
  mapConcurrently,
} from '../../inference/src/evaluation/liveness/tier-client.mjs';

/** @typedef {import('../../inference/src/evaluation/liveness/tier-client.mjs').Job} Job */

/** @param {Uint8Array} source @param {Uint8Array} target @returns {Job} */
export const compareJob = (source, target) => ({
  path: '/compare',
  body: Buffer.concat([source, target]),
  headers: lengthsOf([source, target]),
});

/** @param {Uint8Array} image @param {{ categories?: readonly string[] }} [options] default: all categories @returns {Job} */
export const moderateJob = (image, { categories } = {}) => ({
  path: categories ? `/moderate?categories=${categories.join()}` : '/moderate',
  body: image,
  headers: {},
});

/** The categories that nsfwjs has too. */
export const withoutObjects = { categories: ['Explicit', 'Suggestive'] };

/** A request to a gateway, as most clients send it. @param {string} apiKey @param {string} path @param {object} body @returns {Job} */
export const apiJob = (apiKey, path, body) => ({
  path,
  body: Buffer.from(JSON.stringify(body)),
  headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
});

/**
 * Keeps `concurrency` requests in flight until `seconds` have passed, and cycles through the jobs.
 * @param {import('../../inference/src/evaluation/liveness/tier-client.mjs').Client} client
 * @param {{ jobs: readonly Job[], concurrency: number, seconds: number }} options
 * @throws Error for a status other than 200: rejected work would look fast
 */
export const sendFor = (client, { jobs, concurrency, seconds }) =>
  saturate({
    clients: concurrency,
    durationMs: 1e3 * seconds,
    send: (number) => client.request(jobs[number % jobs.length]),
  });
