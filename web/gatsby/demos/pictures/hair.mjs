/** Where hair grows on a head, and how it falls. */
import { ramp } from './surface.mjs';

/** @typedef {import('./person.mjs').Person} Person */

/** Fine and coarse waves, 0 to 1, that run from the crown down. */
export function strand(
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
export function intoHair(
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
