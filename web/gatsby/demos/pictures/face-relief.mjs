/** How far the features of a face stand out of the head, or lie in it. */
import { mouthLine } from './person.mjs';
import { mound, ramp } from './surface.mjs';

/** @typedef {import('./person.mjs').Measures} Measures */

/** Toward the viewer, in heads. @param {Measures} face @param {number} x @param {number} y */
export const reliefAt = (face, x, y) =>
  browsAndCheeks(face, x, y) + nose(face, x, y) + mouth(face, x, y) + folds(face, x, y);

/** @param {Measures} face @param {number} x @param {number} y */
function browsAndCheeks({ person, smile, eyeX, eyeW, eyeH }, x, y) {
  const ax = Math.abs(x);
  const ridge = 0.05 * person.brow * mound((ax - 0.24) / 0.2, (y - 0.14) / 0.08);
  const socket = 0.105 * mound((ax - eyeX) / 0.17, y / 0.105);
  const eyeball = 0.062 * mound((ax - eyeX) / (eyeW * 1.05), y / (eyeH * 1.7));
  const cheekbone = 0.05 * person.cheeks * mound((ax - 0.42) / 0.18, (y + 0.2 - 0.03 * smile) / 0.14);
  const lifted = 0.03 * Math.max(0, smile) * mound((ax - 0.36) / 0.12, (y + 0.3) / 0.1);
  return ridge - socket + eyeball + cheekbone + lifted;
}

/** A ridge that rises to its tip, ends in a step, and has wings. @param {Measures} face @param {number} x @param {number} y */
function nose({ person, tip, base }, x, y) {
  const along = ramp(y, 0.12, tip);
  const high = (0.045 + 0.17 * along ** 1.4) * person.noseHeight;
  const wide = (0.06 + 0.05 * along) * (0.6 + 0.4 * person.noseWidth);
  const ridge = high * Math.exp(-((x / wide) ** 2)) * ramp(y, base - 0.055, base + 0.03) * ramp(y, 0.3, 0.02);
  const point = 0.045 * person.noseHeight * mound(x / 0.085, (y - tip - 0.01) / 0.065);
  const wing =
    0.075 *
    mound((Math.abs(x) - 0.115 * person.noseWidth) / 0.05, (y - tip + 0.03) / 0.05) *
    ramp(y, base - 0.05, base + 0.01);
  return ridge + point + wing;
}

/** The arch of the teeth, a lip on either side of the line, and the hollow below. @param {Measures} face @param {number} x @param {number} y */
function mouth(face, x, y) {
  const { person, mouthY, mouthW, gap } = face;
  const inside = Math.max(0, 1 - (x / mouthW) ** 2);
  const d = y - mouthLine(face, x);
  const full = person.lips * inside ** 0.6;
  const arch = 0.05 * mound(x / 0.3, (y - mouthY) / 0.22);
  const upper = 0.032 * full * mound(0, (d - 0.034 - gap) / 0.036);
  const lower = 0.052 * full * mound(0, (d + 0.046 + gap) / 0.036);
  const line = 0.035 * inside ** 0.4 * mound(0, d / (0.012 + gap));
  const hollow = 0.035 * mound(x / 0.2, (d + 0.125 + gap) / 0.04);
  const corner = 0.02 * mound((Math.abs(x) - mouthW - 0.02) / 0.05, d / 0.05);
  return arch + upper + lower - line - hollow - corner;
}

/** The chin, the fold from the nose to the corner of the mouth, and the hollow of the cheek. @param {Measures} face @param {number} x @param {number} y */
function folds({ person, smile, tip, mouthY }, x, y) {
  const ax = Math.abs(x);
  const chin = 0.055 * person.chin * mound(x / 0.17, (y + 0.86) / 0.1);
  const from = 0.17 + 0.13 * ramp(y, tip, mouthY);
  const fold =
    (0.012 + 0.02 * Math.max(0, smile)) * mound((ax - from) / 0.04, (y - (tip + mouthY) / 2 - 0.02) / 0.13);
  const hollow = 0.02 * mound((ax - 0.5) / 0.13, (y + 0.52) / 0.16) * (2 - person.cheeks);
  return chin - fold - hollow;
}
