/** What a portrait shows beside the head: ears, neck and shoulders. Same space and unit as the head. */
import { grid, ramp } from './surface.mjs';

/** @typedef {import('./surface.mjs').Surface} Surface @typedef {import('./person.mjs').Person} Person */

/** @param {Person} person @param {1 | -1} side */
export const ear = ({ width, skin }, side) =>
  grid(40, 40, (u, v) => {
    const [a, b] = [2 * Math.PI * (side > 0 ? u : 1 - u), Math.PI * v];
    const [x, y, z] = [Math.sin(b) * Math.cos(a), Math.cos(b), Math.sin(b) * Math.sin(a)];
    const hollow = ramp(Math.hypot(y - 0.05, z - 0.1), 0.62, 0.2);
    const lobe = 1 - 0.25 * ramp(y, 0, -1);
    return {
      at: [
        side * (0.685 * width + 0.075 * x + 0.03 * z * -1),
        -0.08 + 0.2 * y + 0.02 * z,
        -0.06 + 0.115 * z * lobe,
      ],
      albedo: skin * (0.88 - 0.4 * hollow),
      stroke: 50 * (-0.08 + 0.2 * y),
    };
  });

/** @param {Person} person */
export const neck = ({ skin, jaw }) =>
  grid(80, 50, (u, v) => {
    const a = 2 * Math.PI * (u - 0.5);
    const y = -0.55 - 1.15 * v;
    const spread = 1 + 0.9 * ramp(y, -1.25, -1.75);
    const apple = 0.03 * Math.exp(-((Math.sin(a) / 0.3) ** 2 + ((y + 1.18) / 0.1) ** 2));
    return {
      at: [
        0.4 * jaw * spread * Math.sin(a),
        y,
        -0.08 + 0.14 * ramp(y, -1, -1.7) + (0.42 + apple) * Math.cos(a),
      ],
      // The chin's shadow.
      albedo: skin * (0.42 + 0.5 * ramp(y, -1.0, -1.45)),
      stroke: 50 * y + 2 * Math.cos(a),
    };
  });

/** @param {number} cloth its tone */
export const shoulders = (cloth) =>
  grid(120, 90, (u, v) => {
    const a = 2 * Math.PI * (u - 0.5);
    const down = 2.6 * v;
    const y = -1.33 - 1.3 * down;
    const half = 0.42 + 1.12 * Math.sqrt(ramp(down, 0, 0.62));
    const deep = 0.42 + 0.3 * ramp(down, 0, 0.5);
    const collar = 1 - 0.35 * ramp(down, 0.06, 0.03);
    return {
      at: [half * Math.sin(a), y - 0.16 * Math.cos(a) * ramp(down, 0.5, 0), deep * Math.cos(a) - 0.05],
      albedo: cloth * collar,
      stroke: 34 * y + 9 * Math.abs(Math.sin(a)),
    };
  });
