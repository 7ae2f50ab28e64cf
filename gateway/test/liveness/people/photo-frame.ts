/** Frames that the victim's own photo fills, instead of a rendered room. */
import { eyeCornerMm, eyeCorners, outline } from './head';
import { blank, copyOf, type Rgb } from './image';
import type { Person } from './people';
import { type Camera, straightOn } from './scene';
import { focalOf, type Placement, paint } from './solid';

/** Where a photo lies in a frame that it fills. */
export interface Placed {
  readonly photo: Rgb;
  /** x and y of a point of the head in the frame. */
  readonly at: (point: number) => readonly [x: number, y: number];
}

/** The usual distance of the corners of the eyes in a frame that a photo fills, as a share of its width. */
export const usualShare = 0.3;

/** Puts a photo into a frame, its eyes slightly above the middle. Beside the photo, its edge repeats. */
export function placed(
  { head: { uv, texture } }: Person,
  { width, height }: Camera,
  eyesShare: number,
): Placed {
  const point = (i: number) => [uv[2 * i] as number, uv[2 * i + 1] as number] as const;
  const [[x0, y0], [x1, y1]] = [point(eyeCorners[0]), point(eyeCorners[1])];
  const scale = (eyesShare * width) / Math.hypot(x1 - x0, y1 - y0);
  const [left, top] = [width / 2 - (scale * (x0 + x1)) / 2, 0.44 * height - (scale * (y0 + y1)) / 2];
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const;
  const photo = blank(width, height);
  const sheet = {
    points: Float64Array.from(corners.flatMap(([x, y]) => [x - width / 2, y - height / 2, 0])),
    uv: Float64Array.from(corners.flatMap(([x, y]) => [(x - left) / scale, (y - top) / scale])),
    alpha: new Float64Array(corners.length).fill(1),
    triangles: Int32Array.of(0, 1, 2, 0, 2, 3),
    texture,
  };
  paint(photo, sheet, flatAt(width));
  return {
    photo,
    at: (i) => {
      const [x, y] = point(i);
      return [left + scale * x, top + scale * y];
    },
  };
}

/** A placement at which a millimeter at depth 0 is a pixel of the frame. */
export const flatAt = (width: number): Placement => ({
  yaw: 0,
  pitch: 0,
  roll: 0,
  x: 0,
  y: 0,
  distance: focalOf(width),
});

/** The photo of the victim behind the head, which stands where it does in the photo. */
export function photoStage(
  person: Person,
  camera: Camera,
  eyesShare: number,
): { backdrop: Rgb; base: Placement } {
  const { photo, at } = placed(person, camera, eyesShare);
  const { points } = person.head;
  const [right, left] = eyeCorners;
  const middle = (axis: 0 | 1) => (at(right)[axis] + at(left)[axis]) / 2;
  const inHead = (axis: number) =>
    ((points[3 * right + axis] as number) + (points[3 * left + axis] as number)) / 2;
  const span = Math.hypot(at(left)[0] - at(right)[0], at(left)[1] - at(right)[1]);
  const focal = focalOf(camera.width);
  const depth = (focal * eyeCornerMm) / span;
  const base = {
    ...straightOn,
    distance: depth - inHead(2),
    x: ((middle(0) - camera.width / 2) * depth) / focal - inHead(0),
    y: ((middle(1) - camera.height / 2) * depth) / focal - inHead(1),
  };
  return { backdrop: withoutHead(photo, outline.map(at)), base };
}

/** Fills the place of a head, row by row, with what is beside it. */
function withoutHead(photo: Rgb, edge: readonly (readonly [x: number, y: number])[]): Rgb {
  const filled = copyOf(photo);
  const xs = edge.map(([x]) => x);
  const ys = edge.map(([, y]) => y);
  const [x, y] = [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
  const [rx, ry] = [0.62 * (Math.max(...xs) - Math.min(...xs)), 0.58 * (Math.max(...ys) - Math.min(...ys))];
  const bottom = Math.min(photo.height - 1, Math.round(y + ry));
  for (let row = Math.max(0, Math.round(y - ry)); row < bottom; row++) {
    const half = rx * Math.sqrt(1 - ((row - y) / ry) ** 2);
    const left = Math.max(0, Math.round(x - half));
    const right = Math.min(photo.width - 1, Math.round(x + half));
    for (let column = left; column <= right; column++) {
      const share = (column - left) / Math.max(1, right - left);
      for (let channel = 0; channel < 3; channel++) {
        const level = (at: number) => photo.data[3 * (row * photo.width + at) + channel] as number;
        filled.data[3 * (row * photo.width + column) + channel] =
          level(left) + share * (level(right) - level(left));
      }
    }
  }
  return filled;
}
