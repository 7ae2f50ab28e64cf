/** Degraded copies of portraits, lossless unless their name says JPEG. */
import sharp from 'sharp';

/**
 * @typedef {object} Portrait
 * @property {Buffer} png
 * @property {number} side of the image in pixels
 * @property {number} faceWidth in pixels
 */

/** @typedef {{ name: string, apply: (portrait: Portrait) => Promise<Buffer> }} Degradation */

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

/** @param {Degradation} first @param {Degradation} second @returns {Degradation} */
const both = (first, second) => ({
  name: `${first.name}, then ${second.name}`,
  apply: async (portrait) => second.apply({ ...portrait, png: await first.apply(portrait) }),
});

/** @type {readonly Degradation[]} */
export const degradations = [
  ...[1, 2, 3, 4].map(blurred),
  both(blurred(4), compressed(30)),
  ...[64, 48, 32, 24].map(shrunk),
  ...[32, 24].map(enlarged),
  ...[30, 10].map(compressed),
  ...[15, 5, 250].map(lit),
  rotated(30),
];
