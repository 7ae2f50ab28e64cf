/**
 * A head in space, made of numbers alone: a loft of horizontal sections, on which nose, eyes, lips and brows are raised
 * or sunk, and coloured. Unit: half the height of the head. x to the viewer's right, y up, z toward the viewer; the
 * eyes lie at y = 0.
 */

/**
 * Numbers by place. The checker takes every place of an array for one that may be missing; here none ever is, and a
 * check for each would cost more than the drawing.
 * @typedef {{ readonly length: number, [place: number]: any, set(values: ArrayLike<number>, at?: number): void }} Numbers
 */

/**
 * A surface as a grid of points, with what a drawing needs to know of each.
 * @typedef {object} Surface
 * @property {number} columns
 * @property {number} rows
 * @property {Numbers} points x, y, z
 * @property {Numbers} albedo 0 is black, 1 is white
 * @property {Numbers} strokes along which a hand would hatch: lines of equal value are drawn
 */

/**
 * What makes a person. Lengths as factors of an average, 1; tones 0 to 1.
 * @typedef {object} Person
 * @property {number} seed of the hair's strands
 * @property {number} width
 * @property {number} jaw
 * @property {number} chin
 * @property {number} cheeks
 * @property {number} brow how far the ridge stands out
 * @property {number} eyeDistance
 * @property {number} eyeSize
 * @property {number} eyeSlant outer corner above the inner one, in heads
 * @property {number} noseLength
 * @property {number} noseWidth
 * @property {number} noseHeight
 * @property {number} mouthWidth
 * @property {number} lips
 * @property {number} skin
 * @property {number} hair
 * @property {number} browHeight
 * @property {number} browWeight
 * @property {number} hairline height at the middle of the forehead
 * @property {number} parting where the hair parts, -1 to 1
 * @property {number} volume of the hair
 * @property {number} length how far down the hair falls at the sides: 0 to the ears, 1 to the chin
 * @property {number} beard 0 to 1
 */

/**
 * How a face is moved: -1 to 1.
 * @typedef {object} Expression
 * @property {number} [smile]
 * @property {number} [open] of the mouth, 0 to 1
 * @property {number} [brows] raised or lowered
 */

/**
 * Height, half the width, depth to the front and to the back of each section, from the crown to the chin.
 * @type {readonly any[]}
 */
const SECTIONS = [
  [1.03, 0, 0, 0],
  [1.0, 0.2, 0.25, 0.26],
  [0.92, 0.38, 0.44, 0.5],
  [0.78, 0.545, 0.6, 0.7],
  [0.58, 0.655, 0.72, 0.84],
  [0.35, 0.705, 0.775, 0.9],
  [0.12, 0.705, 0.775, 0.88],
  [-0.1, 0.69, 0.765, 0.8],
  [-0.3, 0.665, 0.76, 0.66],
  [-0.5, 0.615, 0.75, 0.46],
  [-0.68, 0.53, 0.735, 0.3],
  [-0.82, 0.42, 0.71, 0.2],
  [-0.92, 0.31, 0.665, 0.1],
  [-0.99, 0.18, 0.57, 0.0],
  [-1.02, 0, 0.36, -0.3],
];

const COLUMNS = 220;
const ROWS = 210;
const CROWN = 1.03;
const CHIN = -1.02;

/** @param {number} value @param {number} from @param {number} to */
export const ramp = (value, from, to) => {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

/** A soft mound of height 1: distances in its own half widths. @param {number} dx @param {number} dy */
const mound = (dx, dy) => Math.exp(-(dx * dx + dy * dy));

/** @param {number} y @param {number} column of SECTIONS */
function section(y, column) {
  let i = 1;
  while (i < SECTIONS.length - 1 && SECTIONS[i][0] > y) i++;
  const [above, below] = [SECTIONS[i - 1], SECTIONS[i]];
  const before = SECTIONS[i - 2] ?? above;
  const after = SECTIONS[i + 1] ?? below;
  const t = (above[0] - y) / (above[0] - below[0]);
  // Catmull and Rom's spline with the slopes of uneven steps.
  const step = above[0] - below[0];
  const slope = (/** @type {any} */ p, /** @type {any} */ q) =>
    p === q ? 0 : ((q[column] - p[column]) / (p[0] - q[0])) * step;
  const [a, b] = [above[column], below[column]];
  const [m, n] = [slope(before, below), slope(above, after)];
  const [t2, t3] = [t * t, t * t * t];
  return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * m + (3 * t2 - 2 * t3) * b + (t3 - t2) * n;
}

/**
 * @param {Person} person
 * @param {Expression} [expression]
 * @returns {Surface}
 */
export function head(person, expression = {}) {
  const count = COLUMNS * ROWS;
  const surface = {
    columns: COLUMNS,
    rows: ROWS,
    points: new Float32Array(3 * count),
    albedo: new Float32Array(count),
    strokes: new Float32Array(count),
  };
  const features = featuresOf(person, expression);
  for (let row = 0; row < ROWS; row++) {
    // Rows crowd where the sections close, so that crown and chin are round.
    const v = (1 - Math.cos((Math.PI * row) / (ROWS - 1))) / 2;
    const y = CROWN + (CHIN - CROWN) * (0.45 * v + (0.55 * row) / (ROWS - 1));
    const size = sectionOf(y, person);
    for (let column = 0; column < COLUMNS; column++) {
      const around = (column / (COLUMNS - 1)) * 2 - 1;
      // Three quarters of the columns look at the front half.
      const angle = Math.PI * (0.62 * around + 0.38 * around ** 3);
      place(surface, row * COLUMNS + column, { angle, y, size, person, features });
    }
  }
  return surface;
}

/** @param {number} y @param {Person} person */
function sectionOf(y, { width, jaw, chin }) {
  const low = ramp(y, -0.15, -0.75);
  const lowest = ramp(y, -0.7, -0.95);
  return {
    half: section(y, 1) * width * (1 + (jaw - 1) * low) * (1 + (chin - 1) * 0.8 * lowest),
    front: section(y, 2) * (1 + (chin - 1) * 0.25 * lowest),
    back: section(y, 3),
  };
}

/** @param {Surface} surface @param {number} index @param {any} where */
function place(surface, index, { angle, y, size, person, features }) {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const bulge = (/** @type {number} */ value) => Math.sign(value) * Math.abs(value) ** 0.92;
  const x = size.half * bulge(sin);
  const z = (cos > 0 ? size.front : size.back) * bulge(cos);
  const facing = ramp(cos, 0.05, 0.5);
  const relief = facing > 0 ? features.relief(x, y) * facing : 0;
  const inside = intoHair(x, y, cos, person);
  const hair = ramp(inside, -0.012, 0.03);
  const lock = ramp(inside, -0.02, 0.22) * (0.075 + 0.035 * strand(angle, y, person)) * person.volume;
  const out = 1 + lock / 0.75;
  const crown = ramp(y, 0.3, 1);
  surface.points.set(
    [x * out, y + 0.75 * lock * crown, (z + relief) * (z > 0 ? 1 + lock / 0.9 : out)],
    3 * index,
  );
  const skin = facing > 0 ? features.tone(x, y, facing) : person.skin;
  const strands = person.hair * (0.68 + 0.6 * strand(angle, y, person));
  surface.albedo[index] = skin + (strands - skin) * hair;
  surface.strokes[index] = hair > 0.5 ? 20 * angle + 3 * Math.sin(3 * y) : 50 * y + 3 * cos;
}

/** Fine and coarse waves, 0 to 1, that run from the crown down. */
function strand(
  /** @type {number} */ angle,
  /** @type {number} */ y,
  /** @type {Person} */ { seed, parting },
) {
  const side = angle - parting * 0.5 * ramp(y, 0.1, 0.9);
  const wave =
    Math.sin(9 * side + seed + 2 * y) +
    0.7 * Math.sin(23 * side + 2.3 * seed - 3 * y) +
    0.5 * Math.sin(57 * side + 5 * y + seed);
  return 0.5 + wave / 4.4;
}

/** How far from the edge of the hair a point lies, positive where hair grows. */
function intoHair(
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ cos,
  /** @type {Person} */ person,
) {
  const { hairline, parting, length, width, seed } = person;
  const across = x / (0.7 * width);
  const uneven = 0.018 * Math.sin(31 * across + seed) + 0.011 * Math.sin(73 * across);
  // Over the forehead an arch, lower at the temples and lifted at the parting; behind the ears all is hair.
  const arch =
    hairline - 0.3 * Math.abs(across) ** 3.2 + 0.08 * Math.exp(-(((across - parting) / 0.25) ** 2));
  const side = Math.min(0.9 * (0.4 - cos) + 0.5 * uneven, y - (0.02 - 0.8 * length));
  const nape = Math.min(-0.9 * cos, y + 0.7);
  return Math.max(y - arch + uneven, side, nape);
}

/** @param {Person} person @param {Expression} expression */
function featuresOf(person, { smile = 0, open = 0, brows = 0 }) {
  const eyeX = 0.3 * person.eyeDistance;
  const eyeW = 0.135 * person.eyeSize;
  const eyeH = 0.058 * person.eyeSize * (1 - 0.22 * Math.max(0, smile) + 0.15 * Math.max(0, brows));
  const tip = -0.36 * person.noseLength;
  const base = tip - 0.055;
  const mouthY = -0.615 - 0.04 * (person.noseLength - 1);
  const mouthW = 0.235 * person.mouthWidth * (1 + 0.16 * smile);
  const gap = 0.07 * open;
  const browY = 0.165 * person.browHeight + 0.04 * brows;

  /** Height of the mouth's line. */
  const mouthLine = (/** @type {number} */ x) =>
    mouthY + (0.3 + smile) * 0.072 * (Math.min(1.3, Math.abs(x) / mouthW) ** 2 - 0.35);
  /** Half the opening of the lids, 0 outside. */
  const eyeAt = (/** @type {number} */ x, /** @type {number} */ y) => {
    const u = (Math.abs(x) - eyeX) / eyeW;
    const v = y - person.eyeSlant * u * 0.5;
    const rim = Math.max(0, 1 - u * u);
    return { u, v, upper: eyeH * 1.05 * rim ** 0.6, lower: -eyeH * 0.8 * rim ** 0.75 };
  };

  const relief = (/** @type {number} */ x, /** @type {number} */ y) => {
    const ax = Math.abs(x);
    let z = 0;
    z += 0.05 * person.brow * mound((ax - 0.24) / 0.2, (y - 0.14) / 0.08);
    z -= 0.105 * mound((ax - eyeX) / 0.17, (y + 0.0) / 0.105);
    z += 0.062 * mound((ax - eyeX) / (eyeW * 1.05), y / (eyeH * 1.7));
    z += 0.05 * person.cheeks * mound((ax - 0.42) / 0.18, (y + 0.2 - 0.03 * smile) / 0.14);
    z += 0.03 * Math.max(0, smile) * mound((ax - 0.36) / 0.12, (y + 0.3) / 0.1);
    // Nose: a ridge that rises to its tip, ends in a step, and has wings.
    const along = ramp(y, 0.12, tip);
    const ridge = (0.045 + 0.17 * along ** 1.4) * person.noseHeight;
    const wide = (0.06 + 0.05 * along) * (0.6 + 0.4 * person.noseWidth);
    const under = ramp(y, base - 0.055, base + 0.03);
    z += ridge * Math.exp(-((x / wide) ** 2)) * under * ramp(y, 0.3, 0.02);
    z += 0.045 * person.noseHeight * mound(x / 0.085, (y - tip - 0.01) / 0.065);
    z +=
      0.075 *
      mound((ax - 0.115 * person.noseWidth) / 0.05, (y - tip + 0.03) / 0.05) *
      ramp(y, base - 0.05, base + 0.01);
    // Mouth: the teeth's arch below, a lip on either side of the line.
    z += 0.05 * mound(x / 0.3, (y - mouthY) / 0.22);
    const inside = Math.max(0, 1 - (x / mouthW) ** 2);
    const d = y - mouthLine(x);
    const full = person.lips * inside ** 0.6;
    z += 0.032 * full * mound(0, (d - 0.034 - gap) / 0.036);
    z += 0.052 * full * mound(0, (d + 0.046 + gap) / 0.036);
    z -= 0.035 * inside ** 0.4 * mound(0, d / (0.012 + gap));
    z -= 0.035 * mound(x / 0.2, (d + 0.125 + gap) / 0.04);
    z -= 0.02 * mound((ax - mouthW - 0.02) / 0.05, d / 0.05);
    z += 0.055 * person.chin * mound(x / 0.17, (y + 0.86) / 0.1);
    // From the wings of the nose to the corners of the mouth.
    const fold = ax - (0.17 + 0.13 * ramp(y, tip, mouthY));
    z -= (0.012 + 0.02 * Math.max(0, smile)) * mound(fold / 0.04, (y - (tip + mouthY) / 2 - 0.02) / 0.13);
    z -= 0.02 * mound((ax - 0.5) / 0.13, (y + 0.52) / 0.16) * (2 - person.cheeks);
    return z;
  };

  const tone = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ facing) => {
    const { skin } = person;
    const ax = Math.abs(x);
    let t = skin;
    const towards = (/** @type {number} */ target, /** @type {number} */ amount) => {
      t += (target - t) * Math.min(1, Math.max(0, amount));
    };
    // Light that does not reach: sockets, beside the nose, under the lip.
    towards(skin * 0.62, 0.55 * mound((ax - eyeX + 0.05) / 0.17, (y - 0.035) / 0.075));
    towards(skin * 0.7, 0.4 * mound((ax - 0.15) / 0.05, (y - tip + 0.02) / 0.1));
    towards(skin * 0.72, 0.45 * mound(x / 0.16, (y - mouthY + 0.125 + gap) / 0.03));
    towards(skin * 0.8, 0.3 * mound((ax - eyeX) / 0.12, (y + 0.105) / 0.03));
    // Beard.
    const jaw = Math.max(
      ramp(y, -0.5, -0.66),
      ramp(ax, 0.4, 0.52) * ramp(y, -0.12, -0.3),
      mound(x / 0.24, (y - mouthY - 0.1) / 0.045),
    );
    towards(person.hair * 1.15, person.beard * jaw * (0.86 + 0.14 * Math.sin(90 * x) * Math.sin(70 * y)));
    // Lips, and the line between them.
    const inside = Math.max(0, 1 - (x / mouthW) ** 2);
    const d = y - mouthLine(x);
    const bow = 0.062 * person.lips * inside ** 0.7 * (1 - 0.16 * mound(x / 0.035, 0)) + gap;
    const low = -(0.088 * person.lips * inside ** 0.55) - gap;
    if (inside > 0) {
      const lip = ramp(d, bow, bow - 0.018) * ramp(d, low, low + 0.022);
      towards(skin * 0.56, lip * (d > 0 ? 0.95 : 0.72));
      const opening = gap * inside ** 0.8;
      towards(0.07, ramp(Math.abs(d), 0.013 + opening, 0.004 + opening) * inside ** 0.25);
      if (gap)
        towards(
          0.93,
          ramp(d, opening * 0.05, opening * 0.3) *
            ramp(d, opening * 1.02, opening * 0.85) *
            ramp(inside, 0.25, 0.5),
        );
    }
    towards(skin * 0.5, 0.7 * mound((ax - mouthW) / 0.02, (y - mouthLine(mouthW)) / 0.02));
    // Nostrils.
    towards(0.08, 0.95 * mound((ax - 0.068 * person.noseWidth) / 0.034, (y - base - 0.002) / 0.018));
    // Brows: an arch that thins outward.
    const b = (ax - eyeX) / 0.2;
    const arch = browY + 0.035 * (1 - b * b) + 0.012 * b + 0.04 * Math.min(0, brows) * ramp(-b, 0, 1);
    const thick = 0.033 * person.browWeight * (1 - 0.45 * ramp(b, -0.2, 1));
    const hairs = 0.9 + 0.1 * Math.sin(160 * ax + 60 * y);
    towards(
      person.hair * 0.8,
      ramp(Math.abs(y - arch), thick, thick * 0.35) * ramp(Math.abs(b), 1.02, 0.85) * 0.92 * hairs,
    );
    // Eyes.
    const { u, v, upper, lower } = eyeAt(x, y);
    if (Math.abs(u) < 1) {
      const inEye = ramp(v, upper + 0.004, upper - 0.006) * ramp(v, lower - 0.004, lower + 0.006);
      towards(0.86, inEye);
      const iris = Math.hypot(u * eyeW, (v - 0.008) * 1.0);
      towards(0.2, inEye * ramp(iris, 0.062, 0.053));
      towards(0.02, inEye * ramp(iris, 0.03, 0.024));
      towards(1, inEye * ramp(Math.hypot(u * eyeW * Math.sign(x) + 0.02, v - 0.028), 0.016, 0.01));
      towards(0.45, inEye * 0.6 * ramp(v, upper - 0.035, upper));
      towards(0.06, ramp(Math.abs(v - upper), 0.016, 0.005));
      towards(skin * 0.45, 0.6 * ramp(Math.abs(v - lower), 0.01, 0.003));
    }
    if (Math.abs(u) < 1.15) {
      const crease = upper * 1.1 + 0.032;
      towards(skin * 0.5, 0.65 * ramp(Math.abs(v - crease), 0.013, 0.003) * ramp(Math.abs(u), 1.1, 0.7));
    }
    return skin + (t - skin) * ramp(facing, 0, 0.6);
  };
  return { relief, tone };
}
