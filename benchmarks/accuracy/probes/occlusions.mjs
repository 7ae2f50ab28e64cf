/**
 * Draws masks, dark lenses, hands and objects over faces. The landmarks of the face place the drawing; a seeded random
 * generator chooses the details, so that each drawing can be repeated.
 */
import sharp from 'sharp';

/** @typedef {[x: number, y: number]} Point in pixels */
/** @typedef {Record<string, Point>} Landmarks by the names of the contract */
/** @typedef {() => number} Random from 0 to below 1 */
/** @typedef {ReturnType<typeof sceneOf>} Scene */

const hidden = ['eyes', 'oneEye', 'nose', 'mouth'];
const harmless = ['forehead', 'belowChin', 'beside'];
const things = ['hand', 'object', 'scrap'];
const at = (places) => things.flatMap((thing) => places.map((place) => `${thing}:${place}`));

const worn = ['mask', 'lenses'];

/** Things that cover eyes, nose or mouth; masks and lenses more often, since people wear them. */
export const coverings = [...worn, ...worn, ...worn, ...at(hidden)];
/** The same things in places where they cover none of these. */
export const decoys = at(harmless);

/** A pseudorandom generator (mulberry32). @param {number} seed @returns {Random} */
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
  const scene = sceneOf(landmarks, scale, random);
  const drawing = await drawingOf(scene, kind, enlarged, scrapsFrom);
  const svg = Buffer.from(`<svg width="${size.width}" height="${size.height}">${drawing}</svg>`);
  const drawn = await sharp(enlarged)
    .composite([{ input: svg }])
    .png()
    .toBuffer();
  return photograph(scene, size, drawn);
}

/** The face, and the random choices about it. @param {Landmarks} landmarks @param {number} scale @param {Random} random */
function sceneOf(landmarks, scale, random) {
  /** @param {string} name @returns {Point} */
  const point = (name) => [scale * landmarks[name][0], scale * landmarks[name][1]];
  const [left, right] = [point('leftEyeCenter'), point('rightEyeCenter')];
  return {
    random,
    point,
    between: (from, to) => from + (to - from) * random(),
    /** @type {<T>(list: readonly T[]) => T} */
    pick: (list) => list[Math.floor(random() * list.length)],
    /** Distance between the eyes: the unit of every drawing. */
    unit: Math.hypot(left[0] - right[0], left[1] - right[1]),
    /** Turn of the eyes in degrees. */
    tilt: (Math.atan2(left[1] - right[1], left[0] - right[0]) * 180) / Math.PI,
  };
}

/** @param {Scene} scene @returns {Promise<string>} SVG elements */
async function drawingOf(scene, kind, image, scrapsFrom) {
  const [thing, place] = kind.split(':');
  switch (thing) {
    case 'mask':
      return mask(scene);
    case 'lenses':
      return lenses(scene);
    case 'hand':
      return hand(scene, placeOf(scene, place), await skinOf(scene, image));
    case 'object':
      return object(scene, placeOf(scene, place));
    case 'scrap':
      return scrap(scene, placeOf(scene, place), await textureOf(scene, scrapsFrom));
    default:
      return '';
  }
}

/**
 * Differences between cameras and between people before them: a tilt, the foreshortening of a turned head, light and
 * its color, softness or sharpening, compression.
 * @param {Scene} scene
 */
async function photograph({ random, between }, { width, height }, image) {
  const squeeze = () => (random() < 0.5 ? 1 : between(0.72, 1));
  const gains = [0, 1, 2].map(() => between(0.85, 1.15));
  const light = between(0.55, 1.25);
  const squeezed = await sharp(image)
    .removeAlpha()
    .resize(Math.round(width * squeeze()), Math.round(height * squeeze()), { fit: 'fill' })
    .linear(
      gains.map((gain) => gain * light),
      [0, 0, 0],
    )
    .png()
    .toBuffer();
  const tilt = random() < 0.4 ? 0 : between(-45, 45);
  const tilted = sharp(await sharp(squeezed).rotate(tilt, { background: '#606060' }).png().toBuffer());
  const finish = random();
  if (finish < 0.2) tilted.blur(between(0.4, 1.4));
  else if (finish < 0.5) tilted.sharpen({ sigma: between(0.6, 1.8) });
  else if (finish < 0.65) tilted.resize(Math.round(250 * between(0.4, 0.8)));
  return tilted.jpeg({ quality: Math.round(between(70, 95)) }).toBuffer();
}

/** @param {Point} a @param {Point} b @returns {Point} */
const mix = (a, b, part = 0.5) => [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
const xy = (/** @type {Point} */ p) => p.map((value) => value.toFixed(1)).join(' ');
const css = (color, light = 1) =>
  `rgb(${color.map((v) => Math.round(Math.min(255, Math.max(0, v * light)))).join(',')})`;

/** Lowest and highest red, green and blue. */
const any = [0, 255, 0, 255, 0, 255];
const dark = [5, 45, 5, 40, 5, 40];
const darkGrey = [15, 70, 15, 70, 15, 70];
const white = [225, 255, 225, 255, 225, 255];
const surgical = [120, 190, 180, 215, 205, 240];

/** @param {Scene} scene */
const color = ({ between }, range) => [0, 2, 4].map((i) => between(range[i], range[i + 1]));

/** @param {Scene} scene */
const gradient = ({ between }, base) =>
  `<defs><linearGradient id="g" gradientTransform="rotate(${between(0, 180)})"><stop offset="0" stop-color="${css(base, between(0.8, 1.1))}"/><stop offset="1" stop-color="${css(base, between(0.6, 1))}"/></linearGradient></defs>`;

/** A mask from the nose over the cheeks, along the jaw and around the chin. @param {Scene} scene */
function mask(scene) {
  const { unit, between, pick, point, random } = scene;
  /** @param {Point} from @returns {Point} */
  const jitter = ([x, y]) => [x + between(-0.03, 0.03) * unit, y + between(-0.03, 0.03) * unit];
  const top = mix(point('noseBridge'), point('noseTip'), between(0, 0.85));
  const high = between(0.25, 0.7);
  const side = (s) => mix(point(`${s}Temple`), point(`${s}Jaw`), high);
  const below = mix(point('noseTip'), point('chin'), between(1.02, 1.12));
  const outline = [top, mix(point('rightCheek'), top, 0.35), side('right'), point('rightJaw')];
  const back = [point('leftJaw'), side('left'), mix(point('leftCheek'), top, 0.35)];
  const lips = mix(point('leftMouthCorner'), point('rightMouthCorner'));
  const round = (s) => mix(mix(point(`${s}Jaw`), below, 0.5), lips, -0.25);
  const base = color(scene, pick([white, surgical, dark, any]));
  const line = (points) => points.map((q) => xy(jitter(q))).join(' L');
  const path = `M${line(outline)} Q${xy(round('right'))} ${xy(below)} Q${xy(round('left'))} ${line(back)} Z`;
  const mouth = point('mouthCenter');
  const pleats = [-0.3, 0, 0.3].map(
    (shift) =>
      `<path d="M${mouth[0] - 0.7 * unit} ${mouth[1] + shift * unit - 2} Q${mouth[0]} ${mouth[1] + shift * unit + 4} ${mouth[0] + 0.7 * unit} ${mouth[1] + shift * unit - 2}" fill="none" stroke="${css(base, 0.82)}"/>`,
  );
  const dots = Array.from({ length: 30 }, () => {
    const [x, y] = mix(pick([...outline, ...back, below]), mouth, between(0.1, 1));
    return `<circle cx="${x}" cy="${y}" r="${between(0.01, 0.06) * unit}" fill="${css(color(scene, any))}"/>`;
  });
  const straps = ['left', 'right'].map(
    (s) =>
      `<path d="M${xy(side(s))} L${xy(point(`${s}Temple`))}" stroke="${css(base, 0.9)}" stroke-width="1.2"/>`,
  );
  const decoration = pick([[], pleats, pleats, dots]);
  return `${gradient(scene, base)}<path d="${path}" fill="url(#g)" stroke="${css(base, 0.75)}" stroke-width="${between(0.3, 1.5)}" stroke-linejoin="round"/>${decoration.join('')}${random() < 0.6 ? straps.join('') : ''}`;
}

/** Two dark lenses with frame, bridge, temples and at times a reflection. @param {Scene} scene */
function lenses(scene) {
  const { unit, tilt, between, pick, point, random } = scene;
  const base = color(scene, pick([dark, dark, darkGrey]));
  const width = between(0.36, 0.52) * unit;
  const height = between(0.24, 0.42) * unit;
  const corner = between(0.1, 0.9) * height;
  const opacity = between(0.85, 1);
  const frame = between(0.01, 0.06) * unit;
  const up = between(0.75, 1);
  const [right, left] = [point('rightEyeCenter'), point('leftEyeCenter')];
  const glass = [right, left].map(
    ([x, y]) =>
      `<rect x="${x - width}" y="${y - height * up}" width="${2 * width}" height="${2 * height}" rx="${corner}" fill="url(#g)" fill-opacity="${opacity}" stroke="${css(base, 0.6)}" stroke-width="${frame}" transform="rotate(${tilt} ${x} ${y})"/>`,
  );
  const shine = `<ellipse cx="${right[0] - width * 0.3}" cy="${right[1] - height * 0.3}" rx="${width * 0.25}" ry="${height * 0.15}" fill="white" fill-opacity="${between(0.1, 0.6)}"/>`;
  const metal = `stroke="${css(base, 0.8)}" stroke-width="${frame + 1}" fill="none"`;
  const middle = mix(right, left);
  return `${gradient(scene, base)}${glass.join('')}<path d="M${right[0] + width * 0.8} ${right[1]} Q${middle[0]} ${middle[1] - 0.08 * unit} ${left[0] - width * 0.8} ${left[1]} M${right[0] - width} ${right[1]} L${xy(point('rightTemple'))} M${left[0] + width} ${left[1]} L${xy(point('leftTemple'))}" ${metal}/>${random() < 0.5 ? shine : ''}`;
}

/** Three or four fingers, often with the back of the hand. @param {Scene} scene */
function hand({ unit, between, pick, random }, [x, y], skin) {
  const thickness = between(0.17, 0.26) * unit;
  const length = between(1, 1.7) * unit;
  const angle = pick([between(-40, 40), between(140, 220), between(-110, -70)]);
  const count = pick([3, 4, 4]);
  const tone = between(0.8, 1.15);
  const fingers = Array.from({ length: count }, (_, i) => {
    const across = (i - (count - 1) / 2) * thickness * 1.02;
    const end = length * between(0.8, 1.05);
    const line = (light, width) =>
      `<line x1="${-length / 2}" y1="${across}" x2="${end}" y2="${across}" stroke="${css(skin, tone * light)}" stroke-width="${thickness * width}" stroke-linecap="round"/>`;
    const nail = `<ellipse cx="${-length / 2}" cy="${across}" rx="${thickness * 0.25}" ry="${thickness * 0.3}" fill="${css(skin, tone * 1.15)}"/>`;
    return line(0.62, 1.12) + line(between(0.93, 1.07), 0.96) + (random() < 0.5 ? nail : '');
  });
  const back = `<ellipse cx="${length * 0.9}" cy="0" rx="${length * 0.6}" ry="${thickness * count * 0.62}" fill="${css(skin, tone)}"/>`;
  return `<g transform="translate(${x} ${y}) rotate(${angle})">${fingers.join('')}${random() < 0.6 ? back : ''}</g>`;
}

/** A plain thing: a phone, a cup, a card. @param {Scene} scene */
function object(scene, [x, y]) {
  const { unit, between, pick, random } = scene;
  const width = between(0.9, 1.8) * unit;
  const height = between(0.5, 1.1) * unit;
  const base = color(scene, pick([dark, any, any]));
  const lens = `<circle cx="${x - width * 0.35}" cy="${y - height * 0.25}" r="${height * 0.1}" fill="${css(base, 1.8)}"/>`;
  return `${gradient(scene, base)}<g transform="rotate(${between(-35, 35)} ${x} ${y})"><rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="${between(0, 0.5) * height}" fill="url(#g)" stroke="${css(base, 0.6)}"/>${random() < 0.4 ? lens : ''}</g>`;
}

/** A scrap of another image. @param {Scene} scene @param {Point} place @param {string} texture a data URI */
function scrap({ unit, between }, [x, y], texture) {
  const width = between(0.8, 1.6) * unit;
  const height = between(0.5, 1.1) * unit;
  const place = `x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}"`;
  const clip = `<defs><clipPath id="c"><rect ${place} rx="${between(0, 0.5) * height}"/></clipPath></defs>`;
  return `${clip}<g transform="rotate(${between(-35, 35)} ${x} ${y})"><image ${place} preserveAspectRatio="xMidYMid slice" clip-path="url(#c)" href="${texture}"/></g>`;
}

/** The center of the thing, near the named place. @param {Scene} scene @param {string} name @returns {Point} */
function placeOf({ unit, between, pick, point }, name) {
  /** @param {Point} from @returns {Point} */
  const shifted = ([x, y], dx, dy) => [x + dx * unit, y + dy * unit];
  const around = (p) => shifted(p, between(-0.12, 0.12), between(-0.1, 0.1));
  const eyes = [point('leftEyeCenter'), point('rightEyeCenter')];
  switch (name) {
    case 'eyes':
      return around(mix(eyes[0], eyes[1]));
    case 'oneEye':
      return around(pick(eyes));
    case 'nose':
      return around(point('noseTip'));
    case 'mouth':
      return around(point('mouthCenter'));
    case 'forehead':
      return shifted(point('forehead'), between(-0.3, 0.3), -between(0.6, 1.1));
    case 'belowChin':
      return shifted(point('chin'), between(-0.4, 0.4), between(0.65, 1.2));
    default:
      return shifted(point('noseTip'), pick([-1, 1]) * between(2.1, 2.8), between(-1, 1));
  }
}

/** Mean color of a spot on the cheek. @param {Scene} scene @param {Buffer} image */
async function skinOf({ point }, image) {
  const { width = 0, height = 0 } = await sharp(image).metadata();
  const [x, y] = point('rightCheek');
  const side = 10;
  const corner = (middle, length) => Math.round(Math.min(length - side, Math.max(0, middle - side / 2)));
  const spot = { left: corner(x, width), top: corner(y, height), width: side, height: side };
  // `stats` reads the input before any operation, so the spot becomes an input of its own.
  const cut = await sharp(image).extract(spot).png().toBuffer();
  const { channels } = await sharp(cut).stats();
  return channels.slice(0, 3).map(({ mean }) => mean);
}

/** A corner of an image. @param {Scene} scene @param {Buffer} image */
async function textureOf({ random }, image) {
  const { width = 0, height = 0 } = await sharp(image).metadata();
  const side = Math.round(0.2 * Math.min(width, height));
  const corner = { left: random() < 0.5 ? 0 : width - side, top: random() < 0.5 ? 0 : height - side };
  const cut = sharp(image).extract({ ...corner, width: side, height: side });
  return `data:image/png;base64,${(await cut.png().toBuffer()).toString('base64')}`;
}
