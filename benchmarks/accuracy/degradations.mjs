/** Degraded copies of portraits, lossless unless their name says JPEG. */
import sharp from 'sharp';
import { randomFrom } from '../../gateway/harness/random.mjs';

/**
 * @typedef {object} Portrait
 * @property {Buffer} png
 * @property {number} side of the image in pixels
 * @property {number} faceWidth in pixels
 */

/** @typedef {{ name: string, apply: (portrait: Portrait) => Promise<Buffer> }} Degradation */

/** Height of a face in units of its width. */
const HEIGHT_OF_WIDTH = 1.1;

/** @param {import('sharp').Sharp} image */
const toPng = (image) => image.png({ compressionLevel: 1 }).toBuffer();

/** @param {number} sigma in pixels @returns {Degradation} */
const blurred = (sigma) => ({
  name: `Gaussian blur, sigma ${sigma} px`,
  apply: ({ png }) => toPng(sharp(png).blur(sigma)),
});

/** @param {number} width of the face in pixels @returns {Degradation} */
const shrunk = (width) => ({
  name: `Face ${width} px wide`,
  apply: ({ png, side, faceWidth }) => toPng(sharp(png).resize(Math.round((side * width) / faceWidth))),
});

/** Few details in many pixels. @param {number} width of the face before it is enlarged @returns {Degradation} */
const enlarged = (width) => ({
  name: `Face ${width} px wide, enlarged`,
  apply: async (portrait) => toPng(sharp(await shrunk(width).apply(portrait)).resize(portrait.side)),
});

/** @param {number} width of the face in squares @returns {Degradation} */
const pixelated = (width) => ({
  name: `Face ${width} squares wide`,
  apply: async (portrait) =>
    toPng(sharp(await shrunk(width).apply(portrait)).resize(portrait.side, null, { kernel: 'nearest' })),
});

/** Mixes every value with a random one, from a seed of the image's own. @param {number} percentage of the random values @returns {Degradation} */
const noisy = (percentage) => ({
  name: `${percentage} % noise`,
  apply: async ({ png }) => {
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const { whole } = randomFrom(png.length);
    const share = percentage / 100;
    const mixed = data.map((value) => Math.round((1 - share) * value + share * whole(0, 256)));
    const { width, height, channels } = info;
    return toPng(sharp(mixed, { raw: { width, height, channels } }));
  },
});

/** @param {number} colors @returns {Degradation} */
const reduced = (colors) => ({
  name: `${colors} colors`,
  apply: ({ png }) => sharp(png).png({ palette: true, colors, dither: 0 }).toBuffer(),
});

/** @param {number} quality @returns {Degradation} */
const compressed = (quality) => ({
  name: `JPEG quality ${quality}`,
  apply: ({ png }) => sharp(png).jpeg({ quality }).toBuffer(),
});

/** Multiplies all values, which stay in 8 bits. @param {number} percentage @returns {Degradation} */
const lit = (percentage) => ({
  name: `${percentage} % light`,
  apply: ({ png }) => toPng(sharp(png).linear(percentage / 100, 0)),
});

/** @param {number} degrees @returns {Degradation} */
const rotated = (degrees) => ({
  name: `Rotated by ${degrees} degrees`,
  apply: ({ png }) => toPng(sharp(png).rotate(degrees, { background: '#000' })),
});

/**
 * A gray rectangle over a part of the face, whose middle is the middle of the image.
 * @param {string} name @param {number} top of the rectangle, as a share of the face's height @param {number} bottom
 * @returns {Degradation}
 */
const covered = (name, top, bottom) => ({
  name,
  apply: ({ png, side, faceWidth }) => {
    const height = HEIGHT_OF_WIDTH * faceWidth;
    const within = (/** @type {number} */ at) => Math.min(side, Math.max(0, Math.round(side / 2 + at)));
    const [left, right] = [-faceWidth / 2, faceWidth / 2].map(within);
    const [from, to] = [top, bottom].map((share) => within((share - 0.5) * height));
    const create = {
      width: right - left,
      height: to - from,
      channels: /** @type {const} */ (3),
      background: '#777',
    };
    return toPng(sharp(png).composite([{ input: { create }, left, top: from }]));
  },
});

/** The left edge of the image cuts off a part of the face's width. @param {number} percentage @returns {Degradation} */
const cut = (percentage) => ({
  name: `${percentage} % past the border`,
  apply: ({ png, side, faceWidth }) => {
    const left = Math.max(0, Math.round(side / 2 + (percentage / 100 - 0.5) * faceWidth));
    return toPng(sharp(png).extract({ left, top: 0, width: side - left, height: side }));
  },
});

/** @param {Degradation} first @param {Degradation} second @returns {Degradation} */
const both = (first, second) => ({
  name: `${first.name}, then ${second.name}`,
  apply: async (portrait) => second.apply({ ...portrait, png: await first.apply(portrait) }),
});

/** @type {readonly Degradation[]} */
export const degradations = [
  ...[1, 2, 3, 4].map(blurred),
  both(blurred(4), compressed(30)),
  both(blurred(4), noisy(20)),
  ...[64, 48, 32, 24].map(shrunk),
  ...[32, 24].map(enlarged),
  ...[24, 16].map(pixelated),
  reduced(4),
  ...[30, 10].map(compressed),
  ...[15, 5, 250].map(lit),
  rotated(30),
  covered('Eyes covered', 0, 0.5),
  covered('Lower half covered', 0.5, 1),
  cut(30),
];
