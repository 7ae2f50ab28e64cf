/**
 * The requests that capacity is measured with: one person, 640 x 480, about 40 kB, as JSON, which is how most clients
 * send pictures. The portraits are those of the load scenarios, so that both load the service with the same work.
 */
import { apiJob } from '../lib/client.mjs';
import { dataUri, PEOPLE, portraitOf } from '../lib/portraits.mjs';

/** @returns {Promise<Buffer[]>} JPEG */
export const portraits = () => Promise.all(PEOPLE.map((person) => portraitOf(person)));

/**
 * What the public operations are made of in the inference tier (inference/src/http/*-route.ts), and which model roles
 * (inference/src/pipeline/operations.ts) each part runs.
 */
export const operations = Object.freeze({
  detect: { images: 1, parts: ['detect'], roles: { detect: ['near', 'thorough', 'mesh'] } },
  compare: {
    images: 2,
    parts: ['describe', 'describe'],
    roles: { describe: ['near', 'thorough', 'mesh', 'embedding'] },
  },
  moderate: {
    images: 1,
    parts: ['moderate', 'violence'],
    roles: { moderate: ['moderation'], violence: ['objects'] },
  },
});

/** @typedef {keyof typeof operations} OperationName */

/**
 * @param {OperationName} operation
 * @param {readonly Buffer[]} pictures
 * @param {string} apiKey
 * @returns {import('../lib/client.mjs').Job[]} one for each picture
 */
export function jobsOf(operation, pictures, apiKey) {
  const { images } = operations[operation];
  return pictures.map((picture, i) => {
    const target = pictures[(i + 1) % pictures.length];
    const body =
      operation === 'compare'
        ? { sourceImage: dataUri(picture), targetImage: dataUri(target) }
        : { image: dataUri(picture) };
    return apiJob(apiKey, { path: `/${operation}`, body, images });
  });
}
