/** Turns the face mesh to a pose and projects it to the plane of a drawing, as SVG path data. */
import { EYE_LINE, HALF_POINTS, HALF_TRIANGLES, MIDLINE_COUNT, PAIRED_LINES } from './face-geometry';

export interface Pose {
  /** Degrees; positive turns the face to the viewer's right. */
  yaw?: number;
  /** Degrees; positive lifts the chin. */
  pitch?: number;
  /** Center in drawing units. */
  x: number;
  y: number;
  /** Drawing units from the midline to the cheekbone of a frontal face. */
  scale: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface FaceDrawing {
  /** Edges of every triangle that faces the viewer. */
  mesh: string;
  /** The silhouette: edges of just one triangle that faces the viewer. */
  outline: string;
  /** Brows, eyes, nose and lips. */
  features: string;
  /** A dot at each end of a visible edge, for strokes with round caps. */
  landmarks: string;
  irises: Point[];
  /** A point of the right half, by its index there. */
  point(index: number): Point;
  /** Its mirror image in the left half. */
  mirrored(index: number): Point;
}

/** Distance of the viewer from the center of the head, in units of the cheekbone distance. */
const CAMERA_DISTANCE = 4.6;
/** Depth of the axis the head turns about, in units of the cheekbone distance. */
const AXIS_DEPTH = 0.45;

const HALF_COUNT = HALF_POINTS.length / 3;

const mirror = (index: number) => (index < MIDLINE_COUNT ? index : index + HALF_COUNT);

const TRIANGLES = toTriples(HALF_TRIANGLES).flatMap(([a, b, c]) => [
  [a, b, c] as const,
  [mirror(a), mirror(c), mirror(b)] as const,
]);

export function projectFace(pose: Pose): FaceDrawing {
  const right = toTriples(HALF_POINTS);
  const solid = [...right, ...right.map(([x, y, z]) => [-x, y, z] as const)];
  const project = projector(pose);
  const flat = solid.map(project);
  const at = (index: number) => flat[index] as Point;

  const seen = TRIANGLES.filter(([a, b, c]) => signedArea(at(a), at(b), at(c)) > 0);
  const edges = countEdges(seen);
  const draw = (lines: readonly (readonly number[])[]) =>
    lines.map((line) => pathThrough(line.map(at))).join('');
  return {
    mesh: draw(edges.map(({ ends }) => ends)),
    outline: draw(edges.filter(({ count }) => count === 1).map(({ ends }) => ends)),
    features: draw(PAIRED_LINES.flatMap((line) => [line, line.map(mirror)])),
    landmarks: [...new Set(seen.flat())].map((index) => `${pathThrough([at(index)])}h0`).join(''),
    irises: [EYE_LINE, EYE_LINE.map(mirror)].map((line) => middle(line.map(at))),
    point: at,
    mirrored: (index) => at(mirror(index)),
  };
}

/** Each edge of the triangles, with the number of triangles that share it. */
function countEdges(triangles: readonly (readonly [number, number, number])[]) {
  const edges = new Map<string, { ends: [number, number]; count: number }>();
  for (const [a, b, c] of triangles) {
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ] as const) {
      const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
      edges.set(key, { ends: [from, to], count: (edges.get(key)?.count ?? 0) + 1 });
    }
  }
  return [...edges.values()];
}

function projector({ yaw = 0, pitch = 0, x: centerX, y: centerY, scale }: Pose) {
  const [sinYaw, cosYaw] = sinCos(yaw);
  const [sinPitch, cosPitch] = sinCos(pitch);
  return ([px, py, pz]: readonly [number, number, number]): Point => {
    const x = px / 100;
    const y = py / 100;
    const z = pz / 100 - AXIS_DEPTH;
    const turnedX = x * cosYaw + z * sinYaw;
    const turnedZ = z * cosYaw - x * sinYaw;
    const noddedY = y * cosPitch - turnedZ * sinPitch;
    const noddedZ = y * sinPitch + turnedZ * cosPitch;
    const perspective = (scale * CAMERA_DISTANCE) / (CAMERA_DISTANCE - noddedZ);
    return { x: round(centerX + turnedX * perspective), y: round(centerY + noddedY * perspective) };
  };
}

function sinCos(degrees: number): [number, number] {
  const radians = (degrees * Math.PI) / 180;
  return [Math.sin(radians), Math.cos(radians)];
}

const signedArea = (a: Point, b: Point, c: Point) =>
  ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2;

const middle = (points: Point[]): Point => ({
  x: round(points.reduce((sum, { x }) => sum + x, 0) / points.length),
  y: round(points.reduce((sum, { y }) => sum + y, 0) / points.length),
});

const pathThrough = (points: Point[]) => `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`;

/** One decimal is finer than a pixel, and yields equal text on server and browser. */
export const round = (value: number) => Math.round(value * 10) / 10;

function toTriples(values: readonly number[]) {
  return Array.from(
    { length: values.length / 3 },
    (_, i) => values.slice(i * 3, i * 3 + 3) as unknown as readonly [number, number, number],
  );
}
