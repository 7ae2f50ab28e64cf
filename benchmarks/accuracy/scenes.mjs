/**
 * Images that make faces hard to find, drawn from portraits of LFW. Each scene knows where its faces are, so a box off all of
 * them is a false face.
 */
import sharp from 'sharp';
import { lfwImage } from '../lib/material.mjs';

/** A face in pixels of its image. @typedef {{ x: number, y: number, width: number }} FacePlace */
/** @typedef {{ image: Buffer, faces: FacePlace[] }} Scene */

/** Median place of the labeled face in the images of LFW, in pixels of 250; the width is that of the face without the ears. */
const FACE = { left: 78, top: 82, right: 172, bottom: 186 };
const FACE_WIDTH = FACE.right - FACE.left;
const CENTER = { x: (FACE.left + FACE.right) / 2, y: (FACE.top + FACE.bottom) / 2 };
const SIDE = 250;
const GRAY = '#777';

/** Lossless, so that a case shows one difficulty only. @param {import('sharp').Sharp} image */
const png = (image) => image.png({ compressionLevel: 1 }).toBuffer();

/** The face of an image of `side` pixels that shows a whole portrait. @param {number} side @returns {FacePlace} */
const faceIn = (side) => {
  const scale = side / SIDE;
  return { x: scale * CENTER.x, y: scale * CENTER.y, width: scale * FACE_WIDTH };
};

/** @param {string} name @param {number} degrees clockwise @returns {Promise<Scene>} */
async function turned(name, degrees) {
  const { data, info } = await sharp(lfwImage(name))
    .rotate(degrees, { background: '#000' })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  const angle = (degrees * Math.PI) / 180;
  const [x, y] = [CENTER.x - SIDE / 2, CENTER.y - SIDE / 2];
  const face = {
    x: info.width / 2 + x * Math.cos(angle) - y * Math.sin(angle),
    y: info.height / 2 + x * Math.sin(angle) + y * Math.cos(angle),
    width: FACE_WIDTH,
  };
  return { image: data, faces: [face] };
}

/** A turned portrait, enlarged before. @param {string} name @param {number} degrees @param {number} side in pixels */
export async function turnedImage(name, degrees, side) {
  const enlarged = await sharp(lfwImage(name)).resize(side, side).toBuffer();
  return png(sharp(enlarged).rotate(degrees, { background: '#000' }));
}

/** @param {string} name @param {{ left: number, top: number, right: number, bottom: number }} area @returns {Promise<Scene>} */
async function covered(name, { left, top, right, bottom }) {
  const channels = /** @type {const} */ (3);
  const input = { create: { width: right - left, height: bottom - top, channels, background: GRAY } };
  const image = await png(sharp(lfwImage(name)).composite([{ input, left, top }]));
  return { image, faces: [faceIn(SIDE)] };
}

/** The visible part of a face of which the left edge of the image cuts a share off. @param {string} name @param {number} share */
async function cut(name, share) {
  const left = Math.round(FACE.left + share * FACE_WIDTH);
  const image = await png(sharp(lfwImage(name)).extract({ left, top: 0, width: SIDE - left, height: SIDE }));
  const width = FACE.right - left;
  return { image, faces: [{ ...faceIn(SIDE), x: width / 2, width }] };
}

/** @param {string} name @param {(image: import('sharp').Sharp) => import('sharp').Sharp} change */
const changed = async (name, change) => ({
  image: await png(change(sharp(lfwImage(name)))),
  faces: [faceIn(SIDE)],
});

/**
 * A face that fills the image.
 * @param {string} name @param {number} margin around the face, as a share of its sides; less than 0 cuts it
 * @param {number} side of the image in pixels
 * @returns {Promise<Scene>}
 */
export async function closeUp(name, margin, side) {
  const [width, height] = [FACE.right - FACE.left, FACE.bottom - FACE.top].map((length) =>
    Math.round(length * (1 + 2 * margin)),
  );
  const image = sharp(lfwImage(name))
    .extract({
      left: Math.round(CENTER.x - width / 2),
      top: Math.round(CENTER.y - height / 2),
      width,
      height,
    })
    .resize(side, Math.round((side * height) / width));
  const scale = side / width;
  const face = { x: side / 2, y: (scale * height) / 2, width: scale * FACE_WIDTH };
  return { image: await png(image), faces: [face] };
}

/** The middle of a portrait, for a face of a width in pixels. @param {string} name @param {number} faceWidth */
async function head(name, faceWidth) {
  const [left, top, side] = [FACE.left - 18, FACE.top - 22, FACE_WIDTH + 36];
  const scale = faceWidth / FACE_WIDTH;
  const pixels = Math.round(side * scale);
  const input = await sharp(lfwImage(name))
    .extract({ left, top, width: side, height: side })
    .resize(pixels, pixels)
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { input, face: { x: scale * (CENTER.x - left), y: scale * (CENTER.y - top), width: faceWidth } };
}

/** @typedef {{ name: string, faceWidth: number, left: number, top: number }} Placed */

/** Heads on gray, the first before the others. @param {number} width @param {number} height @param {readonly Placed[]} heads @returns {Promise<Scene>} */
async function together(width, height, heads) {
  const drawn = await Promise.all(
    heads.map(async ({ name, faceWidth, left, top }) => {
      const { input, face } = await head(name, faceWidth);
      return { layer: { input, left, top }, face: { ...face, x: left + face.x, y: top + face.y } };
    }),
  );
  const canvas = sharp({ create: { width, height, channels: 3, background: GRAY } });
  const image = await png(canvas.composite(drawn.map(({ layer }) => layer).reverse()));
  return { image, faces: drawn.map(({ face }) => face) };
}

/** @param {string} name @param {number} faceWidth */
const small = (name, faceWidth) => together(1000, 1000, [{ name, faceWidth, left: 620, top: 340 }]);

/**
 * A small face beside a near one, or alone at the same place; the small one is first.
 * @param {string} name @param {string | undefined} neighbor @param {number} faceWidth
 */
export const beside = (name, neighbor, faceWidth) =>
  together(1200, 900, [
    { name, faceWidth, left: 1000, top: 420 },
    ...(neighbor ? [{ name: neighbor, faceWidth: 400, left: 200, top: 150 }] : []),
  ]);

/** The photograph on a card of 1600 pixels beside the face of its holder, or alone. */
export const card = (name, holder, faceWidth) =>
  together(1600, 1200, [
    { name, faceWidth, left: 1200, top: 800 },
    ...(holder ? [{ name: holder, faceWidth: 520, left: 240, top: 160 }] : []),
  ]);

/** The photograph on a card that somebody holds before the chin, or alone. */
export const cardBefore = (name, holder, faceWidth) =>
  together(1600, 1200, [
    { name, faceWidth, left: 500, top: 600 },
    ...(holder ? [{ name: holder, faceWidth: 520, left: 240, top: 160 }] : []),
  ]);

/** @type {readonly { name: string, draw: (name: string) => Promise<Scene> }[]} */
export const hardCases = [
  ...[0, 30, 45, 60, 90, 135, 180, 270].map((degrees) => ({
    name: degrees === 0 ? 'As it is' : `Turned by ${degrees} degrees`,
    draw: (name) => turned(name, degrees),
  })),
  { name: 'Lower half covered', draw: (name) => covered(name, { ...FACE, top: 138 }) },
  { name: 'Eyes covered', draw: (name) => covered(name, { ...FACE, bottom: 124 }) },
  { name: 'One side covered', draw: (name) => covered(name, { ...FACE, right: 125 }) },
  { name: '45 % past the border', draw: (name) => cut(name, 0.45) },
  // Values of sRGB are about the light to the power of 1 / 2.2.
  { name: '5 % light', draw: (name) => changed(name, (image) => image.linear(0.05 ** (1 / 2.2), 0)) },
  { name: 'Values of 0 to 12', draw: (name) => changed(name, (image) => image.linear(0.05, 0)) },
  { name: 'Blur of 3 px', draw: (name) => changed(name, (image) => image.blur(3)) },
  { name: 'Blur of 8 px', draw: (name) => changed(name, (image) => image.blur(8)) },
  { name: 'Close-up', draw: (name) => closeUp(name, 0.02, 640) },
  { name: 'Face of 40 px in 1,000', draw: (name) => small(name, 40) },
  { name: 'Face of 24 px in 1,000', draw: (name) => small(name, 24) },
];
