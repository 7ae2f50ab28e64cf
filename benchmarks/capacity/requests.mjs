/**
 * Requests to measure capacity with: portraits of the load scenarios, 640 x 480 and about 40 kB, as JSON like most clients
 * send images.
 */
import { apiJob } from '../lib/client.mjs';
import { dataUri } from '../lib/material.mjs';

/** The images in a request of each operation. */
export const operations = Object.freeze({
  detect: { images: 1 },
  compare: { images: 2 },
  moderate: { images: 1 },
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
