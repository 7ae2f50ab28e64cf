/** Surfaces in space, as grids of points, and the curves that they are made of. */

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

/** @param {number} value @param {number} from @param {number} to */
export const ramp = (value, from, to) => {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

/** A soft mound of height 1: distances in its own half widths. @param {number} dx @param {number} dy */
export const mound = (dx, dy) => Math.exp(-(dx * dx + dy * dy));

/**
 * @param {number} columns
 * @param {number} rows
 * @param {(u: number, v: number) => { at: readonly number[], albedo: number, stroke: number }} describe u and v from 0 to 1
 * @returns {Surface}
 */
export function grid(columns, rows, describe) {
  const count = columns * rows;
  const surface = {
    columns,
    rows,
    points: new Float32Array(3 * count),
    albedo: new Float32Array(count),
    strokes: new Float32Array(count),
  };
  for (let index = 0; index < count; index++) {
    const { at, albedo, stroke } = describe(
      (index % columns) / (columns - 1),
      Math.floor(index / columns) / (rows - 1),
    );
    surface.points.set(at, 3 * index);
    surface.albedo[index] = albedo;
    surface.strokes[index] = stroke;
  }
  return surface;
}
