/** All pictures of the demos, drawn: the same bytes whenever the same code draws them. */
import sharp from 'sharp';
import { engrave } from './engrave.mjs';
import { group, paintPerson, sittings } from './portraits.mjs';
import { canvas } from './raster.mjs';
import { paintApple, paintScissors } from './still-life.mjs';

/**
 * @typedef {object} Picture
 * @property {string} name
 * @property {'portrait' | 'group' | 'thing'} kind
 * @property {string | null} person
 * @property {number} width pixels
 * @property {number} height
 * @property {Buffer} bytes WebP
 */

/** Pictures are drawn twice as large, then shrunk, so that every line has a soft edge. */
const OVERSAMPLING = 2;
/** From line to line of crossing strokes, in pixels drawn. */
const SPACING = 9;

/** @returns {Promise<Picture[]>} */
export const drawPictures = () =>
  Promise.all([
    ...sittings.map((sitting, index) =>
      draw(
        {
          name: `${sitting.person}-${(index % 3) + 1}`,
          kind: 'portrait',
          person: sitting.person,
          width: 400,
          height: 500,
        },
        (target) => paintPerson(target, sitting, { x: 400, y: 460, scale: 310 }),
      ),
    ),
    draw({ name: 'group', kind: 'group', person: null, width: 1100, height: 620 }, (target) => {
      for (const { view, ...sitting } of group) paintPerson(target, sitting, view);
    }),
    draw({ name: 'scissors', kind: 'thing', person: null, width: 640, height: 480 }, paintScissors),
    draw({ name: 'apple', kind: 'thing', person: null, width: 640, height: 480 }, paintApple),
  ]);

/**
 * @param {Omit<Picture, 'bytes'>} picture
 * @param {(target: import('./raster.mjs').Canvas) => void} paint
 * @returns {Promise<Picture>}
 */
async function draw(picture, paint) {
  const [width, height] = [picture.width * OVERSAMPLING, picture.height * OVERSAMPLING];
  const target = canvas(width, height);
  paint(target);
  const bytes = await sharp(engrave(target, SPACING), { raw: { width, height, channels: 3 } })
    .resize(picture.width, picture.height)
    .webp({ quality: 62, effort: 4 })
    .toBuffer();
  return { ...picture, bytes };
}
