/** Portraits cut from the photographs of an installed package: one person each, as a telephone's selfie after scaling. */
import sharp from 'sharp';
import { demoPhotographs } from './material.mjs';

/**
 * Number of the photograph, middle of the face as parts of its width and height. Two of one photograph are never the
 * same person.
 */
export const PEOPLE = /** @type {const} */ ([
  [1, 0.266, 0.387],
  [1, 0.821, 0.253],
  [3, 0.617, 0.277],
  [3, 0.362, 0.356],
  [5, 0.786, 0.386],
  [5, 0.356, 0.395],
  [6, 0.829, 0.277],
  [6, 0.187, 0.416],
]);

/** Pixels of the photograph that become a portrait: the head fills about half of its height, and nobody else is in it. */
const WINDOW = { width: 440, height: 330 };

/**
 * @param {(typeof PEOPLE)[number]} person
 * @param {boolean} [mirrored] and compressed harder: another picture of the same person
 * @returns {Promise<Buffer>} JPEG of 640x480, about 40 kB
 */
export async function portraitOf([number, x, y], mirrored = false) {
  const { bytes } = demoPhotographs()[number - 1];
  const { width, height } = await sharp(bytes).metadata();
  const left = within(x * width - WINDOW.width / 2, width - WINDOW.width);
  const top = within(y * height - WINDOW.height / 2, height - WINDOW.height);
  const cut = sharp(bytes)
    .extract({ ...WINDOW, left, top })
    .resize(640, 480);
  return (mirrored ? cut.flop().jpeg({ quality: 75 }) : cut.jpeg({ quality: 90 })).toBuffer();
}

/** @param {number} value @param {number} most */
const within = (value, most) => Math.max(0, Math.min(Math.round(value), most));

/** @param {Buffer} jpeg */
export const dataUri = (jpeg) => `data:image/jpeg;base64,${jpeg.toString('base64')}`;
