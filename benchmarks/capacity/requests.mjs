/**
 * Requests to measure capacity with: portraits of the load scenarios, 640 x 480 and about 40 kB, as JSON like most clients
 * send images.
 */
import { apiJob } from '../lib/client.mjs';
import { dataUri } from '../lib/material.mjs';

/**
 * The parts of each public operation in the inference tier (inference/src/http/*-route.ts), and the model roles
 * (inference/src/pipeline/operations.ts) that each part runs.
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
    parts: ['moderate'],
    roles: { moderate: ['moderation', 'objects'] },
  },
});

/** @typedef {keyof typeof operations} OperationName */
export const names = /** @type {OperationName[]} */ (Object.keys(operations));

/** One job for each image. @param {OperationName} operation @param {readonly Buffer[]} images @param {string} apiKey */
export const jobsOf = (operation, images, apiKey) =>
  images.map((image, i) => {
    const target = images[(i + 1) % images.length];
    const body =
      operation === 'compare'
        ? { sourceImage: dataUri(image), targetImage: dataUri(target) }
        : { image: dataUri(image) };
    return apiJob(apiKey, `/${operation}`, body);
  });
