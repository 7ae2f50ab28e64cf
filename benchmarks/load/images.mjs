/**
 * Images and request bodies of the load scenarios, made at run time from photos in an installed package. We know what
 * they show because we looked at them, so a response that differs is wrong.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { temporaryFolder } from '../../gateway/harness/index.mjs';
import { dataUri, demoPhotos, portraits } from '../lib/material.mjs';

/** @typedef {{ faces: number, jpeg: Buffer, image?: string }} LoadImage `image`: its name, where reports distinguish images */
/** @typedef {{ source: Buffer, target: Buffer, matches: number }} Pair */

/** People whose face is visible in the six photos. */
const FACES = [3, 3, 3, 4, 5, 4];

/** @returns {Promise<LoadImage[]>} 640x480 with one face each, like scaled selfies */
export const portraitImages = async () => (await portraits()).map((jpeg) => ({ jpeg, faces: 1 }));

/** Two portraits of one person and two of different people, in turns. @returns {Promise<Pair[]>} */
export async function portraitPairs() {
  const [plain, mirrored] = await Promise.all([portraits(), portraits({ mirrored: true })]);
  return plain.flatMap((source, i) => [
    { source, target: mirrored[i], matches: 1 },
    // The neighbor in the list is another person of the same photo.
    { source, target: mirrored[i ^ 1], matches: 0 },
  ]);
}

/** An office photo as it is. @param {number} number 1 to 6 @returns {LoadImage} */
export const officePhoto = (number) => ({ jpeg: demoPhotos()[number - 1].bytes, faces: FACES[number - 1] });

/** Sizes of large images, as phones and cameras write them; the faces of these photos are clear of each other and of the edges. */
const LARGE = [
  { number: 3, megapixels: 12, width: 4000 },
  { number: 5, megapixels: 24, width: 6000 },
  { number: 6, megapixels: 36, width: 7360 },
];

/**
 * Photos of three to five people, enlarged, each in the finest JPEG quality within the API's limit.
 * @param {number} maxBytes of the contract
 * @returns {Promise<LoadImage[]>}
 */
export async function largeImages(maxBytes) {
  const made = [];
  for (const { number, megapixels, width } of LARGE) {
    const { jpeg, faces } = officePhoto(number);
    const height = Math.round((megapixels * 1e6) / width);
    // Enlarged photos compress far better than a camera's. Only with its grain do they reach 5 MB.
    const noise = { type: /** @type {const} */ ('gaussian'), mean: 128, sigma: 12 };
    const grain = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const raw = await sharp(jpeg)
      .resize(width, height, { fit: 'cover' })
      .composite([{ input: grain, blend: 'soft-light' }])
      .removeAlpha()
      .raw()
      .toBuffer();
    made.push({ image: `${megapixels} MP`, jpeg: await finest(raw, { width, height }, maxBytes), faces });
  }
  return made;
}

/** Finest first. */
const QUALITIES = [98, 95, 92, 88, 84, 80, 75, 70, 60, 50, 40, 30];

async function finest(raw, { width, height }, maxBytes) {
  for (const quality of QUALITIES) {
    const jpeg = await sharp(raw, { raw: { width, height, channels: 3 } })
      .jpeg({ quality })
      .toBuffer();
    if (jpeg.length <= maxBytes) return jpeg;
  }
  throw new Error('No quality makes the image small enough.');
}

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json' };

/** Writes bodies for the script `mix`, each with the number that a right response contains. */
export class Bodies {
  #folder = temporaryFolder();
  #written = 0;

  /** @param {string | Uint8Array} body */
  #write(body) {
    const file = join(this.#folder, `body-${++this.#written}`);
    writeFileSync(file, body);
    return file;
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {{ selector?: string, count?: number, image?: string | undefined }} [right]
   */
  json(path, body, right = {}) {
    return { path, file: this.#write(JSON.stringify(body)), headers: JSON_TYPE, ...right };
  }

  /** A job of the inference tier's wire protocol. @param {import('../lib/client.mjs').Job} job */
  job({ path, body, headers }) {
    const all = { 'content-type': 'application/octet-stream', ...headers };
    return { path, file: this.#write(body), headers: all };
  }

  /** All operations of the API. @param {{ images: readonly LoadImage[], pairs: readonly Pair[] }} content */
  operations({ images, pairs }) {
    const single = images.map((portrait) => ({ ...portrait, uri: dataUri(portrait.jpeg) }));
    return {
      detect: single.map(({ uri, faces, image }) =>
        this.json('/detect', { image: uri }, { selector: 'data.faceCount', count: faces, image }),
      ),
      compare: pairs.map(({ source, target, matches }) =>
        this.json(
          '/compare',
          { sourceImage: dataUri(source), targetImage: dataUri(target) },
          { selector: 'data.matchedFaces.#', count: matches },
        ),
      ),
      // The photos show office workers: nothing to report.
      moderate: single.map(({ uri }) =>
        this.json('/moderate', { image: uri }, { selector: 'data.detectedElements.#', count: 0 }),
      ),
    };
  }

  /** A batch of detections in images with one face each. @param {readonly LoadImage[]} images @param {number} size */
  batch(images, size) {
    const operations = Array.from({ length: size }, (_, i) => ({
      operation: 'detect',
      body: { image: dataUri(images[i % images.length].jpeg) },
    }));
    const right = { selector: 'data.results.#(data.faceCount==1)#|#', count: size };
    return this.json('/batch', { operations }, right);
  }
}
