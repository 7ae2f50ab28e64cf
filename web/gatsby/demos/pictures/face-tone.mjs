/** How bright the features of a face are by themselves, whatever the light: 0 is black, 1 is white. */
import { mouthLine } from './person.mjs';
import { mound, ramp } from './surface.mjs';

/** @typedef {import('./person.mjs').Measures} Measures */

/** One after the other, each over the ones before. @param {Measures} face @param {number} x @param {number} y */
export const toneAt = (face, x, y) =>
  [shade, beard, lips, nostrils, brow, eye].reduce((tone, part) => part(tone, face, x, y), face.person.skin);

/** @param {number} tone @param {number} target @param {number} amount how much of the way; what lies outside 0 to 1 is cut */
const towards = (tone, target, amount) => tone + (target - tone) * Math.min(1, Math.max(0, amount));

/** Light that does not reach: sockets, beside the nose, under the lip. @param {number} tone @param {Measures} face @param {number} x @param {number} y */
function shade(tone, { person: { skin }, eyeX, tip, mouthY, gap }, x, y) {
  const ax = Math.abs(x);
  let t = towards(tone, skin * 0.62, 0.55 * mound((ax - eyeX + 0.05) / 0.17, (y - 0.035) / 0.075));
  t = towards(t, skin * 0.7, 0.4 * mound((ax - 0.15) / 0.05, (y - tip + 0.02) / 0.1));
  t = towards(t, skin * 0.72, 0.45 * mound(x / 0.16, (y - mouthY + 0.125 + gap) / 0.03));
  return towards(t, skin * 0.8, 0.3 * mound((ax - eyeX) / 0.12, (y + 0.105) / 0.03));
}

/** @param {number} tone @param {Measures} face @param {number} x @param {number} y */
function beard(tone, { person, mouthY }, x, y) {
  if (person.beard === 0) return tone;
  const grown = Math.max(
    ramp(y, -0.5, -0.66),
    ramp(Math.abs(x), 0.4, 0.52) * ramp(y, -0.12, -0.3),
    mound(x / 0.24, (y - mouthY - 0.1) / 0.045),
  );
  const bristles = 0.86 + 0.14 * Math.sin(90 * x) * Math.sin(70 * y);
  return towards(tone, person.hair * 1.15, person.beard * grown * bristles);
}

/** The line between them, and teeth where they part. @param {number} tone @param {Measures} face @param {number} x @param {number} y */
function lips(tone, face, x, y) {
  const { person, mouthW, gap } = face;
  const inside = Math.max(0, 1 - (x / mouthW) ** 2);
  let t = tone;
  if (inside > 0) {
    const d = y - mouthLine(face, x);
    const bow = 0.062 * person.lips * inside ** 0.7 * (1 - 0.16 * mound(x / 0.035, 0)) + gap;
    const low = -(0.088 * person.lips * inside ** 0.55) - gap;
    const lip = ramp(d, bow, bow - 0.018) * ramp(d, low, low + 0.022);
    t = towards(t, person.skin * 0.56, lip * (d > 0 ? 0.95 : 0.72));
    const opening = gap * inside ** 0.8;
    t = towards(t, 0.07, ramp(Math.abs(d), 0.013 + opening, 0.004 + opening) * inside ** 0.25);
    const teeth = ramp(d, opening * 0.05, opening * 0.3) * ramp(d, opening * 1.02, opening * 0.85);
    if (gap > 0) t = towards(t, 0.93, teeth * ramp(inside, 0.25, 0.5));
  }
  const corner = mound((Math.abs(x) - mouthW) / 0.02, (y - mouthLine(face, mouthW)) / 0.02);
  return towards(t, person.skin * 0.5, 0.7 * corner);
}

/** @param {number} tone @param {Measures} face @param {number} x @param {number} y */
const nostrils = (tone, { person, base }, x, y) =>
  towards(
    tone,
    0.08,
    0.95 * mound((Math.abs(x) - 0.068 * person.noseWidth) / 0.034, (y - base - 0.002) / 0.018),
  );

/** An arch that thins outward. @param {number} tone @param {Measures} face @param {number} x @param {number} y */
function brow(tone, { person, brows, browY, eyeX }, x, y) {
  const ax = Math.abs(x);
  const b = (ax - eyeX) / 0.2;
  const arch = browY + 0.035 * (1 - b * b) + 0.012 * b + 0.04 * Math.min(0, brows) * ramp(-b, 0, 1);
  const thick = 0.033 * person.browWeight * (1 - 0.45 * ramp(b, -0.2, 1));
  const hairs = 0.9 + 0.1 * Math.sin(160 * ax + 60 * y);
  const grown = ramp(Math.abs(y - arch), thick, thick * 0.35) * ramp(Math.abs(b), 1.02, 0.85);
  return towards(tone, person.hair * 0.8, 0.92 * grown * hairs);
}

/** White, iris, pupil, a spark of light, the rims of the lids and the crease above. @param {number} tone @param {Measures} face @param {number} x @param {number} y */
function eye(tone, { person: { skin, eyeSlant }, eyeX, eyeW, eyeH }, x, y) {
  const u = (Math.abs(x) - eyeX) / eyeW;
  if (Math.abs(u) >= 1.15) return tone;
  const v = y - eyeSlant * u * 0.5;
  const rim = Math.max(0, 1 - u * u);
  const [upper, lower] = [eyeH * 1.05 * rim ** 0.6, -eyeH * 0.8 * rim ** 0.75];
  let t = tone;
  if (rim > 0) {
    const open = ramp(v, upper + 0.004, upper - 0.006) * ramp(v, lower - 0.004, lower + 0.006);
    const fromPupil = Math.hypot(u * eyeW, v - 0.008);
    const fromSpark = Math.hypot(u * eyeW * Math.sign(x) + 0.02, v - 0.028);
    t = towards(t, 0.86, open);
    t = towards(t, 0.2, open * ramp(fromPupil, 0.062, 0.053));
    t = towards(t, 0.02, open * ramp(fromPupil, 0.03, 0.024));
    t = towards(t, 1, open * ramp(fromSpark, 0.016, 0.01));
    t = towards(t, 0.45, open * 0.6 * ramp(v, upper - 0.035, upper));
    t = towards(t, 0.06, ramp(Math.abs(v - upper), 0.016, 0.005));
    t = towards(t, skin * 0.45, 0.6 * ramp(Math.abs(v - lower), 0.01, 0.003));
  }
  const crease = ramp(Math.abs(v - (upper * 1.1 + 0.032)), 0.013, 0.003) * ramp(Math.abs(u), 1.1, 0.7);
  return towards(t, skin * 0.5, 0.65 * crease);
}
