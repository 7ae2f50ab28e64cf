/**
 * Draws masks, dark lenses, hands and objects over faces. The landmarks of the face place the drawing; a seeded random
 * generator chooses the details, so that each drawing can be repeated.
 */
import sharp from 'sharp';

/** @typedef {readonly [x: number, y: number]} Point in pixels */
/** @typedef {Record<string, Point>} Landmarks by the names of the contract */
/** @typedef {() => number} Random from 0 to below 1 */
/** @typedef {{ landmarks: Landmarks, size: { width: number, height: number }, image: Buffer, random: Random }} Scene */

const hidden = ['eyes', 'oneEye', 'nose', 'mouth'];
const harmless = ['forehead', 'belowChin', 'beside'];
const things = ['hand', 'object', 'scrap'];
const at = (/** @type {string[]} */ places) => things.flatMap((thing) => places.map((p) => `${thing}:${p}`));

const worn = ['mask', 'lenses'];

/** Things that cover eyes, nose or mouth; masks and lenses more often, since people wear them. */
export const coverings = [...worn, ...worn, ...worn, ...at(hidden)];
/** The same things in places where they cover none of these. */
export const decoys = at(harmless);

/**
 * A pseudorandom generator (mulberry32).
 * @param {number} seed
 * @returns {Random}
 */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * An image with a thing drawn on it, as a camera might have taken it.
 * @param {Buffer} image
 * @param {Landmarks} landmarks
 * @param {string} kind one of the lists above, or any other name to draw nothing
 * @param {Random} random
 * @param {Buffer} scrapsFrom another image: its corners become textured scraps
 */
export async function occlude(image, landmarks, kind, random, scrapsFrom) {
  const { width = 0, height = 0 } = await sharp(image).metadata();
  // Portraits are small: on an enlarged portrait the drawing is as sharp as in a large image.
  const scale = random() < 0.5 ? 2 : 1;
  const size = { width: scale * width, height: scale * height };
  const enlarged = await sharp(image).resize(size.width, size.height).png().toBuffer();
  const points = Object.entries(landmarks).map(([name, [x, y]]) => [name, [scale * x, scale * y]]);
  /** @type {Scene} */
  const scene = { landmarks: Object.fromEntries(points), size, image: enlarged, random };
  const drawing = await drawingOf(scene, kind, scrapsFrom);
  const svg = Buffer.from(`<svg width="${size.width}" height="${size.height}">${drawing}</svg>`);
  const drawn = await sharp(enlarged)
    .composite([{ input: svg }])
    .png()
    .toBuffer();
  return photograph(scene, drawn);
}

/** @param {Scene} scene @param {string} kind @param {Buffer} scrapsFrom @returns {Promise<string>} SVG elements */
async function drawingOf(scene, kind, scrapsFrom) {
  const [thing, place] = kind.split(':');
  switch (thing) {
    case 'mask':
      return mask(scene);
    case 'lenses':
      return lenses(scene);
    case 'hand':
      return hand(scene, placeOf(scene, place), await skinOf(scene));
    case 'object':
      return object(scene, placeOf(scene, place));
    case 'scrap':
      return scrap(scene, placeOf(scene, place), await textureOf(scrapsFrom, scene.random));
    default:
      return '';
  }
}

/**
 * Differences between cameras and between people before them: a tilt, the foreshortening of a turned head, light and
 * its color, softness or sharpening, compression.
 * @param {Scene} scene @param {Buffer} image
 */
async function photograph(scene, image) {
  const { width, height } = scene.size;
  const squeeze = () => (scene.random() < 0.5 ? 1 : between(scene, 0.72, 1));
  const gains = [0, 1, 2].map(() => between(scene, 0.85, 1.15));
  const light = between(scene, 0.55, 1.25);
  const squeezed = await sharp(image)
    .removeAlpha()
    .resize(Math.round(width * squeeze()), Math.round(height * squeeze()), { fit: 'fill' })
    .linear(
      gains.map((gain) => gain * light),
      [0, 0, 0],
    )
    .png()
    .toBuffer();
  const tilt = scene.random() < 0.4 ? 0 : between(scene, -45, 45);
  const tilted = sharp(await sharp(squeezed).rotate(tilt, { background: '#606060' }).png().toBuffer());
  const finish = scene.random();
  const finished =
    finish < 0.2
      ? tilted.blur(between(scene, 0.4, 1.4))
      : finish < 0.5
        ? tilted.sharpen({ sigma: between(scene, 0.6, 1.8) })
        : finish < 0.65
          ? tilted.resize(Math.round(250 * between(scene, 0.4, 0.8)))
          : tilted;
  return finished.jpeg({ quality: Math.round(between(scene, 70, 95)) }).toBuffer();
}

/** @param {Scene} scene @param {number} from @param {number} to */
const between = ({ random }, from, to) => from + (to - from) * random();
/** @template T @param {Scene} scene @param {readonly T[]} list @returns {T} */
const pick = ({ random }, list) => /** @type {T} */ (list[Math.floor(random() * list.length)]);
/** @param {Scene} scene @param {string} name @returns {Point} */
const point = ({ landmarks }, name) => /** @type {Point} */ (landmarks[name]);
/** @param {Point} a @param {Point} b @param {number} [part] @returns {Point} */
const mix = (a, b, part = 0.5) => [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
/** @param {Point} p */
const xy = (p) => p.map((value) => value.toFixed(1)).join(' ');

/** Distance between the eyes: the unit of every drawing. @param {Scene} scene */
function unitOf(scene) {
  const [left, right] = [point(scene, 'leftEyeCenter'), point(scene, 'rightEyeCenter')];
  return Math.hypot(left[0] - right[0], left[1] - right[1]);
}

/** Turn of the eyes in degrees. @param {Scene} scene */
function tiltOf(scene) {
  const [left, right] = [point(scene, 'leftEyeCenter'), point(scene, 'rightEyeCenter')];
  return (Math.atan2(left[1] - right[1], left[0] - right[0]) * 180) / Math.PI;
}

/** @param {readonly number[]} color red, green, blue @param {number} [light] */
const css = (color, light = 1) =>
  `rgb(${color.map((v) => Math.round(Math.min(255, Math.max(0, v * light)))).join(',')})`;

/** @param {Scene} scene @param {readonly (readonly [number, number])[]} ranges */
const color = (scene, ranges) => ranges.map(([from, to]) => between(scene, from, to));

/** @type {readonly (readonly [number, number])[]} */
const any = [
  [0, 255],
  [0, 255],
  [0, 255],
];
/** @type {readonly (readonly [number, number])[]} */
const dark = [
  [5, 45],
  [5, 40],
  [5, 40],
];

/** @param {Scene} scene @param {readonly number[]} base */
const gradient = (scene, base) =>
  `<defs><linearGradient id="g" gradientTransform="rotate(${between(scene, 0, 180)})"><stop offset="0" stop-color="${css(base, between(scene, 0.8, 1.1))}"/><stop offset="1" stop-color="${css(base, between(scene, 0.6, 1))}"/></linearGradient></defs>`;

/** From the bridge or the tip of the nose over the cheeks, along the jaw and around the chin. @param {Scene} scene */
function mask(scene) {
  const unit = unitOf(scene);
  const p = (/** @type {string} */ name) => point(scene, name);
  const jitter = (/** @type {Point} */ [x, y]) =>
    /** @type {Point} */ ([x + between(scene, -0.03, 0.03) * unit, y + between(scene, -0.03, 0.03) * unit]);
  const top = mix(p('noseBridge'), p('noseTip'), between(scene, 0, 0.85));
  const high = between(scene, 0.25, 0.7);
  const side = (/** @type {'left' | 'right'} */ s) => mix(p(`${s}Temple`), p(`${s}Jaw`), high);
  const below = mix(p('noseTip'), p('chin'), between(scene, 1.02, 1.12));
  const outline = [top, mix(p('rightCheek'), top, 0.35), side('right'), p('rightJaw')];
  const back = [p('leftJaw'), side('left'), mix(p('leftCheek'), top, 0.35)];
  const round = (/** @type {'left' | 'right'} */ s) => {
    const middle = mix(p(`${s}Jaw`), below, 0.5);
    return mix(middle, mix(p('leftMouthCorner'), p('rightMouthCorner')), -0.25);
  };
  const base = color(
    scene,
    pick(scene, [
      [
        [225, 255],
        [225, 255],
        [225, 255],
      ],
      [
        [120, 190],
        [180, 215],
        [205, 240],
      ],
      dark,
      any,
    ]),
  );
  const path = `M${outline.map((q) => xy(jitter(q))).join(' L')} Q${xy(round('right'))} ${xy(below)} Q${xy(round('left'))} ${back.map((q) => xy(jitter(q))).join(' L')} Z`;
  const mouth = p('mouthCenter');
  const pleats = [-0.3, 0, 0.3].map(
    (shift) =>
      `<path d="M${mouth[0] - 0.7 * unit} ${mouth[1] + shift * unit - 2} Q${mouth[0]} ${mouth[1] + shift * unit + 4} ${mouth[0] + 0.7 * unit} ${mouth[1] + shift * unit - 2}" fill="none" stroke="${css(base, 0.82)}"/>`,
  );
  const dots = Array.from({ length: 30 }, () => {
    const [x, y] = mix(pick(scene, [...outline, ...back, below]), mouth, between(scene, 0.1, 1));
    return `<circle cx="${x}" cy="${y}" r="${between(scene, 0.01, 0.06) * unit}" fill="${css(color(scene, any))}"/>`;
  });
  const straps = ['left', 'right'].map(
    (s) =>
      `<path d="M${xy(side(/** @type {'left' | 'right'} */ (s)))} L${xy(p(`${s}Temple`))}" stroke="${css(base, 0.9)}" stroke-width="1.2"/>`,
  );
  const decoration = pick(scene, [[], pleats, pleats, dots]);
  return `${gradient(scene, base)}<path d="${path}" fill="url(#g)" stroke="${css(base, 0.75)}" stroke-width="${between(scene, 0.3, 1.5)}" stroke-linejoin="round"/>${decoration.join('')}${scene.random() < 0.6 ? straps.join('') : ''}`;
}

/** Two dark lenses with frame, bridge, temples and at times a reflection. @param {Scene} scene */
function lenses(scene) {
  const unit = unitOf(scene);
  const base = color(scene, pick(scene, [dark, dark, [...any].map(() => /** @type {const} */ ([15, 70]))]));
  const width = between(scene, 0.36, 0.52) * unit;
  const height = between(scene, 0.24, 0.42) * unit;
  const corner = between(scene, 0.1, 0.9) * height;
  const opacity = between(scene, 0.85, 1);
  const frame = between(scene, 0.01, 0.06) * unit;
  const up = between(scene, 0.75, 1);
  const right = point(scene, 'rightEyeCenter');
  const left = point(scene, 'leftEyeCenter');
  const glass = [right, left].map(
    ([x, y]) =>
      `<rect x="${x - width}" y="${y - height * up}" width="${2 * width}" height="${2 * height}" rx="${corner}" fill="url(#g)" fill-opacity="${opacity}" stroke="${css(base, 0.6)}" stroke-width="${frame}" transform="rotate(${tiltOf(scene)} ${x} ${y})"/>`,
  );
  const shine = `<ellipse cx="${right[0] - width * 0.3}" cy="${right[1] - height * 0.3}" rx="${width * 0.25}" ry="${height * 0.15}" fill="white" fill-opacity="${between(scene, 0.1, 0.6)}"/>`;
  const metal = `stroke="${css(base, 0.8)}" stroke-width="${frame + 1}" fill="none"`;
  const middle = mix(right, left);
  return `${gradient(scene, base)}${glass.join('')}<path d="M${right[0] + width * 0.8} ${right[1]} Q${middle[0]} ${middle[1] - 0.08 * unit} ${left[0] - width * 0.8} ${left[1]} M${right[0] - width} ${right[1]} L${xy(point(scene, 'rightTemple'))} M${left[0] + width} ${left[1]} L${xy(point(scene, 'leftTemple'))}" ${metal}/>${scene.random() < 0.5 ? shine : ''}`;
}

/** Three or four fingers, often with the back of the hand. @param {Scene} scene @param {Point} place @param {number[]} skin */
function hand(scene, [x, y], skin) {
  const unit = unitOf(scene);
  const thickness = between(scene, 0.17, 0.26) * unit;
  const length = between(scene, 1, 1.7) * unit;
  const angle = pick(scene, [between(scene, -40, 40), between(scene, 140, 220), between(scene, -110, -70)]);
  const count = pick(scene, [3, 4, 4]);
  const tone = between(scene, 0.8, 1.15);
  const fingers = Array.from({ length: count }, (_, i) => {
    const across = (i - (count - 1) / 2) * thickness * 1.02;
    const end = length * between(scene, 0.8, 1.05);
    const line = (/** @type {number} */ light, /** @type {number} */ width) =>
      `<line x1="${-length / 2}" y1="${across}" x2="${end}" y2="${across}" stroke="${css(skin, tone * light)}" stroke-width="${thickness * width}" stroke-linecap="round"/>`;
    const nail = `<ellipse cx="${-length / 2}" cy="${across}" rx="${thickness * 0.25}" ry="${thickness * 0.3}" fill="${css(skin, tone * 1.15)}"/>`;
    return line(0.62, 1.12) + line(between(scene, 0.93, 1.07), 0.96) + (scene.random() < 0.5 ? nail : '');
  });
  const back = `<ellipse cx="${length * 0.9}" cy="0" rx="${length * 0.6}" ry="${thickness * count * 0.62}" fill="${css(skin, tone)}"/>`;
  return `<g transform="translate(${x} ${y}) rotate(${angle})">${fingers.join('')}${scene.random() < 0.6 ? back : ''}</g>`;
}

/** A plain thing: a phone, a cup, a card. @param {Scene} scene @param {Point} place */
function object(scene, [x, y]) {
  const unit = unitOf(scene);
  const width = between(scene, 0.9, 1.8) * unit;
  const height = between(scene, 0.5, 1.1) * unit;
  const base = color(scene, pick(scene, [dark, any, any]));
  const lens = `<circle cx="${x - width * 0.35}" cy="${y - height * 0.25}" r="${height * 0.1}" fill="${css(base, 1.8)}"/>`;
  return `${gradient(scene, base)}<g transform="rotate(${between(scene, -35, 35)} ${x} ${y})"><rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="${between(scene, 0, 0.5) * height}" fill="url(#g)" stroke="${css(base, 0.6)}"/>${scene.random() < 0.4 ? lens : ''}</g>`;
}

/** A scrap of another image. @param {Scene} scene @param {Point} place @param {string} texture a data URI */
function scrap(scene, [x, y], texture) {
  const unit = unitOf(scene);
  const width = between(scene, 0.8, 1.6) * unit;
  const height = between(scene, 0.5, 1.1) * unit;
  const clip = `<defs><clipPath id="c"><rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="${between(scene, 0, 0.5) * height}"/></clipPath></defs>`;
  return `${clip}<g transform="rotate(${between(scene, -35, 35)} ${x} ${y})"><image x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" preserveAspectRatio="xMidYMid slice" clip-path="url(#c)" href="${texture}"/></g>`;
}

/** The center of the thing, near the named place. @param {Scene} scene @param {string | undefined} name @returns {Point} */
function placeOf(scene, name) {
  const unit = unitOf(scene);
  const p = (/** @type {string} */ landmark) => point(scene, landmark);
  const around = (/** @type {Point} */ [x, y]) =>
    /** @type {Point} */ ([x + between(scene, -0.12, 0.12) * unit, y + between(scene, -0.1, 0.1) * unit]);
  const eyes = [p('leftEyeCenter'), p('rightEyeCenter')];
  const nose = p('noseTip');
  const brow = mix(p('noseBridge'), p('forehead'), 1);
  switch (name) {
    case 'eyes':
      return around(mix(/** @type {Point} */ (eyes[0]), /** @type {Point} */ (eyes[1])));
    case 'oneEye':
      return around(pick(scene, eyes));
    case 'nose':
      return around(nose);
    case 'mouth':
      return around(p('mouthCenter'));
    case 'forehead':
      return [brow[0] + between(scene, -0.3, 0.3) * unit, brow[1] - between(scene, 0.6, 1.1) * unit];
    case 'belowChin':
      return [
        p('chin')[0] + between(scene, -0.4, 0.4) * unit,
        p('chin')[1] + between(scene, 0.65, 1.2) * unit,
      ];
    default:
      return [
        nose[0] + pick(scene, [-1, 1]) * between(scene, 2.1, 2.8) * unit,
        nose[1] + between(scene, -1, 1) * unit,
      ];
  }
}

/** Mean color of a spot on the cheek. @param {Scene} scene */
async function skinOf({ landmarks, size, image }) {
  const [x, y] = /** @type {Point} */ (landmarks.rightCheek);
  const side = 10;
  const corner = (/** @type {number} */ middle, /** @type {number} */ length) =>
    Math.round(Math.min(length - side, Math.max(0, middle - side / 2)));
  const spot = { left: corner(x, size.width), top: corner(y, size.height), width: side, height: side };
  // `stats` reads the input before any operation, so the spot becomes an input of its own.
  const cut = await sharp(image).extract(spot).png().toBuffer();
  const { channels } = await sharp(cut).stats();
  return channels.slice(0, 3).map(({ mean }) => mean);
}

/** A corner of an image. @param {Buffer} image @param {Random} random */
async function textureOf(image, random) {
  const { width = 0, height = 0 } = await sharp(image).metadata();
  const side = Math.round(0.2 * Math.min(width, height));
  const corner = { left: random() < 0.5 ? 0 : width - side, top: random() < 0.5 ? 0 : height - side };
  const bytes = await sharp(image)
    .extract({ ...corner, width: side, height: side })
    .png()
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
}
