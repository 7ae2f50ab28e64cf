/** Things on paper, in the same hand as the portraits: a pair of scissors, in which moderation sees a weapon, and an apple. */
import { render } from './raster.mjs';
import { grid, ramp } from './surface.mjs';

/** @typedef {import('./raster.mjs').Canvas} Canvas */

/** Where the paper lies: behind all that is on it. */
const FAR = 1e3;
const LIGHT = /** @type {const} */ ({ from: [-0.6, 0.7, 0.7], key: 0.8, ambient: 0.3 });

/** @param {Canvas} target 960 pixels high */
export function paintScissors(target) {
  const [middleX, middleY] = [target.width / 2, target.height / 2 + 30];
  paint(target, (x, y) => {
    const [dx, dy] = [x - middleX, y - middleY];
    // What lies on paper throws its shadow close by, to the lower right.
    const shaded = scissors(dx - 14, dy - 16) !== undefined;
    return scissors(dx, dy) ?? paper(x, y, shaded ? 0.6 : 0);
  });
}

/** @param {Canvas} target */
export function paintApple(target) {
  const [x, y, scale] = [0.5 * target.width, 0.5 * target.height, 0.25 * target.height];
  const from = { x: x + 0.9 * scale, y: y + 0.86 * scale };
  paint(target, (px, py) => {
    const shade = Math.hypot((px - from.x) / (1.5 * scale), (py - from.y) / (0.3 * scale));
    return paper(px, py, 0.6 * ramp(shade, 1, 0.5));
  });
  for (const surface of [apple, stalk])
    render(target, surface(), { pose: { pitch: -24 }, view: { x, y, scale }, light: LIGHT });
}

/**
 * @param {Canvas} canvas
 * @param {(x: number, y: number) => { tone: number, stroke: number, depth: number }} describe of a pixel
 */
function paint({ width, height, depth, tone, stroke }, describe) {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const what = describe(x, y);
      depth[at] = what.depth;
      tone[at] = what.tone;
      stroke[at] = what.stroke;
    }
  }
}

/** Paper, with the shadow of what lies on it. @param {number} x @param {number} y @param {number} shade 0 to 1 */
const paper = (x, y, shade) => ({ tone: 1 - 0.5 * shade, stroke: (y - 0.25 * x) / 8, depth: FAR });

const RIVET = { x: 0, y: -20 };

/**
 * Open scissors, their blades downward. Coordinates from the rivet in pixels of a picture 960 high; each half is the
 * mirror of the other. @param {number} x @param {number} y
 */
function scissors(x, y) {
  // Nothing reaches further to the sides.
  if (Math.abs(x) > 250) return undefined;
  if (Math.hypot(x - RIVET.x, y - RIVET.y) < 15) {
    const slot = ramp(Math.abs(x + y - RIVET.x - RIVET.y), 6, 3);
    return { tone: 0.92 - 0.75 * slot, stroke: y / 7, depth: FAR - 4 };
  }
  return half(x, y, FAR - 3) ?? half(-x, y, FAR - 2);
}

/** The one whose blade points down to the right and whose ring is at the upper left. @param {number} x @param {number} y @param {number} depth */
function half(x, y, depth) {
  const ring = inRing(x, y);
  if (ring !== undefined)
    return {
      tone: 0.1 + 0.4 * Math.exp(-(((ring + 0.35) / 0.35) ** 2)),
      stroke: Math.atan2(y + 285, x + 108) * 9,
      depth,
    };
  const shank = fromLine(x, y, SHANK);
  if (shank.off < 27)
    return { tone: 0.1 + 0.4 * Math.exp(-(((shank.side + 9) / 8) ** 2)), stroke: shank.side / 8, depth };
  const steel = fromLine(x, y, BLADE);
  const wide = 31 * (1 - steel.along ** 1.5) + 4;
  if (steel.off > wide) return undefined;
  const ground = ramp(steel.side / wide, 0.15, 0.3);
  const gleam =
    Math.exp(-(((steel.along - 0.35) / 0.1) ** 2)) + 0.6 * Math.exp(-(((steel.along - 0.72) / 0.06) ** 2));
  return { tone: 0.5 + 0.22 * ground + 0.34 * gleam, stroke: steel.side / 8, depth };
}

const SHANK = /** @type {const} */ ([-62, -150, 6, -8]);
const BLADE = /** @type {const} */ ([-8, -50, 176, 392]);

/** Where a point of the ring lies across its rim, -1 to 1; undefined off it. @param {number} x @param {number} y */
function inRing(x, y) {
  const [cos, sin] = [Math.cos(0.33), Math.sin(0.33)];
  const [dx, dy] = [x + 108, y + 285];
  const across = (Math.hypot((dx * cos - dy * sin) / 78, (dx * sin + dy * cos) / 138) - 1) / 0.2;
  return Math.abs(across) < 1 ? across : undefined;
}

/** @param {number} x @param {number} y @param {readonly [number, number, number, number]} line from and to */
function fromLine(x, y, [ax, ay, bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = Math.hypot(dx, dy);
  const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length ** 2));
  return {
    along,
    off: Math.sqrt((x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2),
    side: ((x - ax) * dy - (y - ay) * dx) / length,
  };
}

const apple = () =>
  grid(160, 120, (u, v) => {
    const [a, b] = [2 * Math.PI * (u - 0.5), Math.PI * v];
    const radius =
      (1 + 0.05 * Math.cos(5 * a) * (1 - Math.cos(b)) * 0.5) * (1 - 0.1 * ramp(Math.cos(b), 0, -1));
    const [out, up] = [Math.sin(b) * radius * (1 - 0.12 * ramp(Math.cos(b), 0, -1)), Math.cos(b)];
    const dimple = 0.34 * Math.exp(-((out / 0.3) ** 2)) * (up > 0 ? 1 : -0.4);
    const flecks = 0.06 * Math.sin(13 * a + 4 * Math.sin(3 * b)) * ramp(up, 0.9, 0.2);
    return {
      at: [out * Math.sin(a), 0.9 * up - dimple, out * Math.cos(a)],
      albedo: 0.62 + flecks - 0.3 * Math.exp(-((out / 0.24) ** 2)),
      stroke: 9 * a + 3 * b,
    };
  });

const stalk = () =>
  grid(24, 24, (u, v) => {
    const a = 2 * Math.PI * (u - 0.5);
    const thick = 0.035 + 0.02 * (1 - v);
    const up = 0.5 + 0.55 * (1 - v);
    return {
      at: [thick * Math.sin(a) + 0.22 * (1 - v) ** 2, up, thick * Math.cos(a)],
      albedo: 0.25,
      stroke: 40 * v,
    };
  });
