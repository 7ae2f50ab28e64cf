/**
 * Pictures of the load scenarios: made at run time from the photographs that an installed package ships, so that they
 * are there on a bare clone and nothing is committed. What is in them is known from looking at them, not from the
 * service: an answer that differs is a wrong answer.
 */
import sharp from 'sharp';
import { demoPhotographs } from '../lib/material.mjs';
import { dataUri, PEOPLE, portraitOf } from '../lib/portraits.mjs';

/** @typedef {{ name: string, faces: number, person: string, image: string }} LoadPicture `image`: a data URI */

/** People in the six photographs whose face is to be seen. */
const FACES = [3, 3, 3, 4, 5, 4];

/** @returns {Promise<LoadPicture[]>} 640x480 with one face, as a telephone's selfie after scaling */
export async function portraits() {
  return Promise.all(PEOPLE.map((person) => portrait(person, false)));
}

/**
 * Two portraits of one person, the second mirrored and compressed harder, and two of different people, in turns.
 * @returns {Promise<{ source: LoadPicture, target: LoadPicture, same: boolean }[]>}
 */
export async function pairs() {
  const [plain, others] = await Promise.all([
    portraits(),
    Promise.all(PEOPLE.map((person) => portrait(person, true))),
  ]);
  return plain.flatMap((source, i) => [
    { source, target: others[i], same: true },
    // The neighbour in the list is somebody else of the same photograph.
    { source, target: others[i ^ 1], same: false },
  ]);
}

/** @param {(typeof PEOPLE)[number]} person @param {boolean} mirrored @returns {Promise<LoadPicture>} */
async function portrait(person, mirrored) {
  const [number, x] = person;
  const name = `${number}-${x}`;
  const image = dataUri(await portraitOf(person, mirrored));
  return { name: `portrait ${name}${mirrored ? ' mirrored' : ''}`, faces: 1, person: name, image };
}

/** Sides of the large pictures: what telephones and cameras of 12, 24 and 36 megapixels write. */
const LARGE = /** @type {const} */ ([
  { megapixels: 12, width: 4000 },
  { megapixels: 24, width: 6000 },
  { megapixels: 36, width: 7360 },
]);

/**
 * Photographs of three to five people, enlarged, each in the finest JPEG quality that the API's limit leaves room for.
 * @param {number} maxBytes of the contract
 * @returns {Promise<(LoadPicture & { megapixels: number, bytes: number })[]>}
 */
export async function largePhotographs(maxBytes) {
  const made = [];
  // Those three whose faces stand clear of each other and of the edges.
  for (const [i, number] of [3, 5, 6].entries()) {
    const { bytes } = demoPhotographs()[number - 1];
    const { megapixels, width } = LARGE[i];
    const height = Math.round((megapixels * 1e6) / width);
    // Enlarged pixels compress far better than a camera's; its grain is what makes a photograph of 5 MB.
    const grain = await sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: 12 },
      },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const raw = await sharp(bytes)
      .resize(width, height, { fit: 'cover' })
      .composite([{ input: grain, blend: 'soft-light' }])
      .removeAlpha()
      .raw()
      .toBuffer();
    const jpeg = await finest(raw, { width, height }, maxBytes);
    made.push({
      name: `${megapixels} MP`,
      megapixels,
      bytes: jpeg.length,
      faces: FACES[number - 1],
      person: `${number}`,
      image: dataUri(jpeg),
    });
  }
  return made;
}

/** Qualities of JPEG to choose from, finest first. */
const QUALITIES = [98, 95, 92, 88, 84, 80, 75, 70, 60, 50, 40, 30];

/** @param {Buffer} raw @param {{ width: number, height: number }} size @param {number} maxBytes */
async function finest(raw, size, maxBytes) {
  let [low, high] = [0, QUALITIES.length - 1];
  const encode = (/** @type {number} */ i) =>
    sharp(raw, { raw: { ...size, channels: 3 } })
      .jpeg({ quality: QUALITIES[i] })
      .toBuffer();
  /** @type {Buffer | undefined} */
  let best;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const jpeg = await encode(middle);
    if (jpeg.length <= maxBytes) {
      best = jpeg;
      high = middle - 1;
    } else low = middle + 1;
  }
  if (!best) throw new Error('No quality makes the picture small enough.');
  return best;
}
