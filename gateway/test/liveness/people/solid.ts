/** Textured surfaces in 3D, seen by a pinhole camera. Millimeters; x to the viewer's right, y down, z away. */
import type { Rgb } from './image';

export interface Solid {
  /** x, y, z of each point relative to the center of rotation. */
  readonly points: Float64Array;
  /** Position of each point in the texture, in pixels. */
  readonly uv: Float64Array;
  /** Opacity of each point, 0 to 1. */
  readonly alpha: Float64Array;
  /** Three points each. */
  readonly triangles: Int32Array;
  readonly texture: Rgb;
  /** Light on the solid: a factor for each channel. Default 1. */
  readonly gain?: readonly [red: number, green: number, blue: number];
}

/** Angles in degrees, as in responses of detection: yaw to the person's left, pitch upward, roll clockwise. */
export interface Placement {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
  /** Position of the center of rotation relative to the camera's axis. */
  readonly x: number;
  readonly y: number;
  readonly distance: number;
}

/** Focal length in pixels for an image of this width, with the 60 degrees of laptop cameras. */
export const focalOf = (width: number) => width / 2 / Math.tan(Math.PI / 6);

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Rz(roll) Ry(yaw) Rx(pitch), row-major. */
export function rotation({ yaw, pitch, roll }: Pick<Placement, 'yaw' | 'pitch' | 'roll'>): readonly number[] {
  const [cy, sy] = [Math.cos(radians(yaw)), Math.sin(radians(yaw))];
  const [cp, sp] = [Math.cos(radians(pitch)), Math.sin(radians(pitch))];
  const [cr, sr] = [Math.cos(radians(roll)), Math.sin(radians(roll))];
  const [xx, xy, xz] = [cy, sy * sp, -sy * cp];
  const [yy, yz] = [cp, sp];
  const [zx, zy, zz] = [sy, -cy * sp, cy * cp];
  return [
    cr * xx,
    cr * xy - sr * yy,
    cr * xz - sr * yz,
    sr * xx,
    sr * xy + cr * yy,
    sr * xz + cr * yz,
    zx,
    zy,
    zz,
  ];
}

/** Paints a solid into an image, back to front. */
export function paint(target: Rgb, solid: Solid, placement: Placement): void {
  const { points, triangles } = solid;
  const r = rotation(placement);
  const focal = focalOf(target.width);
  const count = points.length / 3;
  const seen = { x: new Float64Array(count), y: new Float64Array(count), z: new Float64Array(count) };
  for (let i = 0; i < count; i++) {
    const at = (row: number) =>
      (r[3 * row] as number) * (points[3 * i] as number) +
      (r[3 * row + 1] as number) * (points[3 * i + 1] as number) +
      (r[3 * row + 2] as number) * (points[3 * i + 2] as number);
    const z = at(2) + placement.distance;
    seen.x[i] = target.width / 2 + (focal * (at(0) + placement.x)) / z;
    seen.y[i] = target.height / 2 + (focal * (at(1) + placement.y)) / z;
    seen.z[i] = z;
  }
  const depth = (t: number) =>
    (seen.z[triangles[t] as number] as number) +
    (seen.z[triangles[t + 1] as number] as number) +
    (seen.z[triangles[t + 2] as number] as number);
  const order = Array.from({ length: triangles.length / 3 }, (_, i) => ({ t: 3 * i, z: depth(3 * i) }));
  order.sort((a, b) => b.z - a.z);
  for (const { t } of order) {
    fill(target, solid, seen, [
      triangles[t] as number,
      triangles[t + 1] as number,
      triangles[t + 2] as number,
    ]);
  }
}

/** One triangle: affine inside, which is enough for small ones. */
function fill(
  target: Rgb,
  { uv, alpha, texture, gain = unlit }: Solid,
  { x, y }: { x: Float64Array; y: Float64Array },
  [a, b, c]: readonly [number, number, number],
): void {
  const [ax, ay] = [x[a] as number, y[a] as number];
  const [bx, by] = [(x[b] as number) - ax, (y[b] as number) - ay];
  const [cx, cy] = [(x[c] as number) - ax, (y[c] as number) - ay];
  const area = bx * cy - by * cx;
  if (Math.abs(area) < 1e-9) return;
  const left = Math.max(0, Math.ceil(Math.min(ax, ax + bx, ax + cx)));
  const right = Math.min(target.width - 1, Math.floor(Math.max(ax, ax + bx, ax + cx)));
  const top = Math.max(0, Math.ceil(Math.min(ay, ay + by, ay + cy)));
  const bottom = Math.min(target.height - 1, Math.floor(Math.max(ay, ay + by, ay + cy)));
  const mix = (values: Float64Array, step: number, offset: number, s: number, t: number) => {
    const from = values[step * a + offset] as number;
    return (
      from +
      s * ((values[step * b + offset] as number) - from) +
      t * ((values[step * c + offset] as number) - from)
    );
  };
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const [px, py] = [column - ax, row - ay];
      const s = (px * cy - py * cx) / area;
      const t = (bx * py - by * px) / area;
      if (s < 0 || t < 0 || s + t > 1) continue;
      blend(target, 3 * (row * target.width + column), {
        texture,
        gain,
        u: mix(uv, 2, 0, s, t),
        v: mix(uv, 2, 1, s, t),
        opacity: mix(alpha, 1, 0, s, t),
      });
    }
  }
}

const unlit = [1, 1, 1] as const;

interface Sample {
  readonly texture: Rgb;
  readonly gain: readonly [number, number, number];
  readonly u: number;
  readonly v: number;
  readonly opacity: number;
}

/** Bilinear. */
function blend(
  target: Rgb,
  at: number,
  { texture: { data, width, height }, gain, u, v, opacity }: Sample,
): void {
  const left = Math.min(width - 2, Math.max(0, Math.floor(u)));
  const top = Math.min(height - 2, Math.max(0, Math.floor(v)));
  const s = Math.min(1, Math.max(0, u - left));
  const t = Math.min(1, Math.max(0, v - top));
  const from = 3 * (top * width + left);
  for (let channel = 0; channel < 3; channel++) {
    const i = from + channel;
    const upper = (data[i] as number) * (1 - s) + (data[i + 3] as number) * s;
    const lower = (data[i + 3 * width] as number) * (1 - s) + (data[i + 3 * width + 3] as number) * s;
    const value = Math.min(255, (gain[channel] as number) * (upper * (1 - t) + lower * t));
    const under = target.data[at + channel] as number;
    target.data[at + channel] = under + (value - under) * opacity + 0.5;
  }
}
