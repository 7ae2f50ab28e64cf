/**
 * A head in space, made of numbers alone: a loft of horizontal sections, on which nose, eyes, lips and brows are raised
 * or sunk, and coloured. Unit: half the height of the head. x to the viewer's right, y up, z toward the viewer; the
 * eyes lie at y = 0.
 */
import { reliefAt } from './face-relief.mjs';
import { toneAt } from './face-tone.mjs';
import { intoHair, strand } from './hair.mjs';
import { measure } from './person.mjs';
import { ramp } from './surface.mjs';

/** @typedef {import('./surface.mjs').Surface} Surface */
/** @typedef {import('./person.mjs').Person} Person */
/** @typedef {import('./person.mjs').Expression} Expression */

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
  const face = measure(person, expression);
  for (let row = 0; row < ROWS; row++) {
    // Rows crowd where the sections close, so that crown and chin are round.
    const v = (1 - Math.cos((Math.PI * row) / (ROWS - 1))) / 2;
    const y = CROWN + (CHIN - CROWN) * (0.45 * v + (0.55 * row) / (ROWS - 1));
    const size = sectionOf(y, person);
    for (let column = 0; column < COLUMNS; column++) {
      const around = (column / (COLUMNS - 1)) * 2 - 1;
      // Three quarters of the columns look at the front half.
      const angle = Math.PI * (0.62 * around + 0.38 * around ** 3);
      place(surface, row * COLUMNS + column, { angle, y, size, face });
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
function place(surface, index, { angle, y, size, face }) {
  const { person } = face;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const bulge = (/** @type {number} */ value) => Math.sign(value) * Math.abs(value) ** 0.92;
  const x = size.half * bulge(sin);
  const z = (cos > 0 ? size.front : size.back) * bulge(cos);
  const facing = ramp(cos, 0.05, 0.5);
  const relief = facing > 0 ? reliefAt(face, x, y) * facing : 0;
  const inside = intoHair(x, y, cos, person);
  const hair = ramp(inside, -0.012, 0.03);
  const lock = ramp(inside, -0.02, 0.22) * (0.075 + 0.035 * strand(angle, y, person)) * person.volume;
  const out = 1 + lock / 0.75;
  const crown = ramp(y, 0.3, 1);
  surface.points.set(
    [x * out, y + 0.75 * lock * crown, (z + relief) * (z > 0 ? 1 + lock / 0.9 : out)],
    3 * index,
  );
  const skin =
    facing > 0 ? person.skin + (toneAt(face, x, y) - person.skin) * ramp(facing, 0, 0.6) : person.skin;
  const strands = person.hair * (0.68 + 0.6 * strand(angle, y, person));
  surface.albedo[index] = skin + (strands - skin) * hair;
  surface.strokes[index] = hair > 0.5 ? 20 * angle + 3 * Math.sin(3 * y) : 50 * y + 3 * cos;
}
