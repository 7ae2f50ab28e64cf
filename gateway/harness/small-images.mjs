/** Small images for requests whose results matter more than their cost. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from './cli/paths.mjs';

/** The office photos of face-api, with three to six faces each. */
const PHOTOS = [1, 2, 3, 4, 5, 6].map((number) =>
  join(ROOT, 'node_modules/@vladmandic/face-api/demo', `sample${number}.jpg`),
);

/** @param {number} [most] @returns {Promise<string[]>} data URIs of JPEGs with faces, 400 pixels wide */
export async function smallImages(most = PHOTOS.length) {
  const images = await Promise.all(
    PHOTOS.slice(0, most).map((photo) => sharp(readFileSync(photo)).resize({ width: 400 }).jpeg().toBuffer()),
  );
  return images.map((bytes) => `data:image/jpeg;base64,${bytes.toString('base64')}`);
}
