/**
 * The demo images: a photograph, and drawings of people who do not exist and of objects. The photograph shows Commodore
 * Grace Hopper; James S. Davis took it for the United States Navy, so it is in the public domain. Its second image is a
 * drawn document with a gray, compressed copy.
 */
import { readFile } from 'node:fs/promises';

/**
 * @typedef {object} DemoImage
 * @property {string} name of its file in images/
 * @property {'portrait' | 'group' | 'object'} kind
 * @property {string | null} person who is portrayed
 * @property {number} width pixels
 * @property {number} height
 * @property {Buffer} bytes WebP
 */

/** @type {readonly Omit<DemoImage, 'bytes'>[]} */
const IMAGES = [
  { name: 'hopper-photo', kind: 'portrait', person: 'hopper', width: 400, height: 500 },
  { name: 'hopper-document', kind: 'portrait', person: 'hopper', width: 400, height: 500 },
  // The fourth of each is out of focus.
  ...['ada-2', 'ada-3', 'ada-4', 'ben-1', 'ben-3', 'ben-4'].map((name) => ({
    name,
    kind: /** @type {const} */ ('portrait'),
    person: name.slice(0, 3),
    width: 400,
    height: 500,
  })),
  { name: 'group', kind: 'group', person: null, width: 1100, height: 620 },
  { name: 'scissors', kind: 'object', person: null, width: 640, height: 480 },
  { name: 'apple', kind: 'object', person: null, width: 640, height: 480 },
];

/** @returns {Promise<DemoImage[]>} in the order of the demos */
export const readImages = () =>
  Promise.all(
    IMAGES.map(async (image) => ({
      ...image,
      bytes: await readFile(new URL(`images/${image.name}.webp`, import.meta.url)),
    })),
  );
