/** Surfaces in space seen by a pinhole camera, into one layer of tones and one of strokes. */

/** @typedef {import('./surface.mjs').Surface} Surface @typedef {import('./surface.mjs').Numbers} Numbers */

/**
 * @typedef {object} Canvas
 * @property {number} width
 * @property {number} height
 * @property {Numbers} depth nearest so far; Infinity where nothing is
 * @property {Numbers} tone brightness 0 to 1
 * @property {Numbers} stroke
 */

/**
 * Degrees as detection answers them: yaw toward the person's left, pitch upward, roll toward the left shoulder.
 * @typedef {{ yaw?: number, pitch?: number, roll?: number }} Pose
 */

/**
 * @typedef {object} View
 * @property {number} x of the head's middle, in pixels
 * @property {number} y
 * @property {number} scale pixels of half a head
 * @property {number} [nearer] half heads that a person stands before the others, for what hides what
 */

/**
 * Direction to the light, how strong it is, and what light is everywhere.
 * @typedef {{ from: readonly [number, number, number], key: number, ambient: number }} Light
 */

/** From the eye to the middle of the head, in half heads. */
const DISTANCE = 7;

/** @param {number} width @param {number} height @returns {Canvas} */
export const canvas = (width, height) => ({
  width,
  height,
  depth: new Float32Array(width * height).fill(Number.POSITIVE_INFINITY),
  tone: new Float32Array(width * height),
  stroke: new Float32Array(width * height),
});

/**
 * @param {Canvas} target
 * @param {Surface} surface
 * @param {{ pose?: Pose | undefined, view: View, light: Light }} how
 */
export function render(target, surface, { pose = {}, view, light }) {
  const turned = turn(surface.points, pose);
  const lit = shade(surface.albedo, normalsOf(surface, turned), light);
  const seen = { ...project(turned, view), lit, stroke: surface.strokes };
  for (let row = 0; row < surface.rows - 1; row++) {
    for (let column = 0; column < surface.columns - 1; column++) {
      const a = row * surface.columns + column;
      const [b, c, d] = [a + 1, a + surface.columns, a + surface.columns + 1];
      fill(target, seen, a, b, c);
      fill(target, seen, b, d, c);
    }
  }
}

/** To pixels, and depth for what hides what. @param {Numbers} points @param {View} view */
function project(points, view) {
  const count = points.length / 3;
  const [sx, sy, sz] = [numbers(count), numbers(count), numbers(count)];
  for (let i = 0; i < count; i++) {
    const z = points[3 * i + 2];
    const perspective = (view.scale * DISTANCE) / (DISTANCE - z);
    sx[i] = view.x + points[3 * i] * perspective;
    sy[i] = view.y - points[3 * i + 1] * perspective;
    sz[i] = DISTANCE - z - (view.nearer ?? 0);
  }
  return { sx, sy, sz };
}

/** Brightness of each point. @param {Numbers} albedo @param {Numbers} normals @param {Light} light */
function shade(albedo, normals, light) {
  const length = Math.hypot(...light.from);
  const [lx, ly, lz] = [light.from[0] / length, light.from[1] / length, light.from[2] / length];
  // Half way between the light and the eye: a surface that faces it shines (Blinn, 1977).
  const between = Math.hypot(lx, ly, lz + 1);
  const lit = numbers(albedo.length);
  for (let i = 0; i < albedo.length; i++) {
    const [nx, ny, nz] = [normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]];
    const diffuse = Math.max(0, nx * lx + ny * ly + nz * lz);
    const sky = 0.5 + 0.5 * ny;
    // Toward the rim less of the surface is seen; a hand darkens it.
    const rim = 0.72 + 0.28 * Math.max(0, nz) ** 0.6;
    const shine = 0.1 * Math.max(0, (nx * lx + ny * ly + nz * (lz + 1)) / between) ** 24;
    lit[i] = albedo[i] * (light.ambient * (0.6 + 0.4 * sky) + light.key * diffuse) * rim + shine * light.key;
  }
  return lit;
}

/** @param {Numbers} points @param {Pose} pose @returns {Numbers} */
function turn(points, { yaw = 0, pitch = 0, roll = 0 }) {
  const rad = Math.PI / 180;
  const [sy, cy] = [Math.sin(yaw * rad), Math.cos(yaw * rad)];
  const [sp, cp] = [Math.sin(pitch * rad), Math.cos(pitch * rad)];
  const [sr, cr] = [Math.sin(roll * rad), Math.cos(roll * rad)];
  const turned = /** @type {Numbers} */ (new Float32Array(points.length));
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
    const [y1, z1] = [y * cp + z * sp, z * cp - y * sp];
    const [x2, z2] = [x * cy + z1 * sy, z1 * cy - x * sy];
    turned.set([x2 * cr + y1 * sr, y1 * cr - x2 * sr, z2], i);
  }
  return turned;
}

/** @param {number} count @returns {Numbers} */
const numbers = (count) => new Float32Array(count);

/** @param {Surface} surface @param {Numbers} points @returns {Numbers} */
function normalsOf({ columns, rows }, points) {
  const normals = new Float32Array(points.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const right = 3 * (row * columns + Math.min(columns - 1, column + 1));
      const left = 3 * (row * columns + Math.max(0, column - 1));
      const below = 3 * (Math.min(rows - 1, row + 1) * columns + column);
      const above = 3 * (Math.max(0, row - 1) * columns + column);
      const [ux, uy, uz] = between(points, left, right);
      const [vx, vy, vz] = between(points, below, above);
      const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      const length = Math.hypot(nx, ny, nz) || 1;
      normals.set([nx / length, ny / length, nz / length], 3 * (row * columns + column));
    }
  }
  return normals;
}

/** @param {Numbers} points @param {number} from @param {number} to @returns {[number, number, number]} */
const between = (points, from, to) => [
  points[to] - points[from],
  points[to + 1] - points[from + 1],
  points[to + 2] - points[from + 2],
];

/** One triangle, whichever way it is wound. @param {Canvas} target @param {any} v @param {number} a @param {number} b @param {number} c */
function fill(target, { sx, sy, sz, lit, stroke }, a, b, c) {
  const [ax, ay] = [sx[a], sy[a]];
  const [bx, by] = [sx[b] - ax, sy[b] - ay];
  const [cx, cy] = [sx[c] - ax, sy[c] - ay];
  const area = bx * cy - by * cx;
  // Counter-clockwise in space is seen from behind: the far side of a closed surface.
  if (area < 1e-6) return;
  const { width, height, depth, tone, stroke: strokes } = target;
  const left = Math.max(0, Math.ceil(Math.min(ax, sx[b], sx[c])));
  const right = Math.min(width - 1, Math.floor(Math.max(ax, sx[b], sx[c])));
  const top = Math.max(0, Math.ceil(Math.min(ay, sy[b], sy[c])));
  const bottom = Math.min(height - 1, Math.floor(Math.max(ay, sy[b], sy[c])));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const [px, py] = [x - ax, y - ay];
      const s = (px * cy - py * cx) / area;
      const t = (bx * py - by * px) / area;
      if (s < -1e-4 || t < -1e-4 || s + t > 1.0002) continue;
      const z = sz[a] + s * (sz[b] - sz[a]) + t * (sz[c] - sz[a]);
      const at = y * width + x;
      if (z >= depth[at]) continue;
      depth[at] = z;
      tone[at] = lit[a] + s * (lit[b] - lit[a]) + t * (lit[c] - lit[a]);
      strokes[at] = stroke[a] + s * (stroke[b] - stroke[a]) + t * (stroke[c] - stroke[a]);
    }
  }
}
