/**
 * The requests that capacity is measured with: one person, 640 x 480, about 40 kB, as JSON, which is how most clients
 * send pictures. They are cut from photographs of an installed package, as the load scenarios' are, so that both load the
 * service with the same work.
 */
import sharp from 'sharp';
import { demoPhotographs } from '../lib/material.mjs';

/** Number of the photograph, middle of the face as parts of its width and height. */
const PEOPLE = /** @type {const} */ ([
  [1, 0.266, 0.387],
  [1, 0.821, 0.253],
  [3, 0.617, 0.277],
  [3, 0.362, 0.356],
  [5, 0.786, 0.386],
  [5, 0.356, 0.395],
  [6, 0.829, 0.277],
  [6, 0.187, 0.416],
]);

/** Pixels of the photograph that become a portrait: nobody else is in them. */
const WINDOW = { width: 440, height: 330 };

/** @returns {Promise<Buffer[]>} JPEG */
export const portraits = () => Promise.all(PEOPLE.map(portrait));

/** @param {(typeof PEOPLE)[number]} person */
async function portrait([number, x, y]) {
  const { bytes } = demoPhotographs()[number - 1];
  const { width, height } = await sharp(bytes).metadata();
  const left = within(x * width - WINDOW.width / 2, width - WINDOW.width);
  const top = within(y * height - WINDOW.height / 2, height - WINDOW.height);
  const window = { ...WINDOW, left, top };
  return sharp(bytes).extract(window).resize(640, 480).jpeg({ quality: 90 }).toBuffer();
}

/** @param {number} value @param {number} most */
const within = (value, most) => Math.max(0, Math.min(Math.round(value), most));

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

/** @param {Buffer} jpeg */
const dataUri = (jpeg) => `data:image/jpeg;base64,${jpeg.toString('base64')}`;

/**
 * @param {OperationName} operation
 * @param {readonly Buffer[]} pictures
 * @param {string} apiKey
 * @returns {import('../lib/client.mjs').Job[]} one for each picture
 */
export function jobsOf(operation, pictures, apiKey) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const { images } = operations[operation];
  return pictures.map((picture, i) => {
    const target = pictures[(i + 1) % pictures.length];
    const body =
      operation === 'compare'
        ? { sourceImage: dataUri(picture), targetImage: dataUri(target) }
        : { image: dataUri(picture) };
    return { path: `/${operation}`, body: Buffer.from(JSON.stringify(body)), headers, images };
  });
}
