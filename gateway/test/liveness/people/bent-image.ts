/** An injection attack without a 3D model: the photo of the victim is bent so that the face seems to turn. */
import { Actor } from './actor';
import { blinkAt, blinking } from './blink';
import { triangulate } from './delaunay';
import type { Develop } from './disguises';
import { eyeCornerMm, outline } from './head';
import type { Person } from './people';
import { flatAt, placed, usualShare } from './photo-frame';
import { shoot, straightOn, vga } from './scene';
import { rotation } from './solid';
import { noiseSeed, type Sitting, type Subject } from './subject';

/**
 * The whole photo of the victim, bent in two dimensions: the points of the face go where those of a turned head would be,
 * and everything else follows less and less.
 */
export async function warpedPhoto(
  person: Person,
  { camera = vga, habits, seed = 1 }: Sitting,
  { develop, eyesShare = usualShare }: { readonly develop?: Develop; readonly eyesShare?: number } = {},
): Promise<Subject> {
  const { photo, at } = placed(person, camera, eyesShare);
  const { width, height } = camera;
  const faceCount = 468;
  const face = Array.from({ length: faceCount }, (_, i) => at(i));
  const pxPerMm = (eyesShare * width) / eyeCornerMm;
  const around = gridAround(outline.map(at), { width, height });
  const all = [...face, ...around.map(({ at: place }) => place)];
  const sheet = {
    uv: Float64Array.from(all.flat()),
    alpha: new Float64Array(all.length).fill(1),
    triangles: triangulate(all.flat()),
    texture: photo,
  };
  const actor = new Actor(habits, seed);
  const origin = { ...straightOn, x: 0, y: 0 };
  return {
    instruct: (movement, atMs) => actor.instruct(movement, atMs),
    async frameAt(ms) {
      const placement = actor.placementAt(ms, origin);
      const { points } = blinking(person.head, blinkAt(ms, seed));
      const r = rotation(placement);
      const shift = (i: number, row: 0 | 1) =>
        pxPerMm *
        ([0, 1, 2].reduce((sum, k) => sum + (r[3 * row + k] as number) * (points[3 * i + k] as number), 0) -
          (person.head.points[3 * i + row] as number) +
          placement[row === 0 ? 'x' : 'y']);
      const moved = [
        ...face.map(([x, y], i) => [x + shift(i, 0), y + shift(i, 1)] as const),
        ...around.map(({ at: [x, y], nearest, share }) => {
          const i = outline[nearest] as number;
          return [x + share * shift(i, 0), y + share * shift(i, 1)] as const;
        }),
      ];
      const solid = {
        ...sheet,
        points: Float64Array.from(moved.flatMap(([x, y]) => [x - width / 2, y - height / 2, 0])),
      };
      const frame = await shoot(camera, photo, [{ solid, at: flatAt(width) }], noiseSeed(seed, ms));
      return develop ? develop(frame, ms) : frame;
    },
  };
}

/** Points of a grid outside a face, each with the nearest point of its edge and how much it follows it. */
function gridAround(
  edge: readonly (readonly [x: number, y: number])[],
  { width, height }: { readonly width: number; readonly height: number },
) {
  const cells = 14;
  const reach = 0.22 * width;
  return Array.from({ length: (cells + 1) ** 2 }, (_, i) => {
    const column = i % (cells + 1);
    const row = Math.floor(i / (cells + 1));
    // Slightly uneven, because points on a line or a circle make slivers.
    const inner = column > 0 && column < cells && row > 0 && row < cells;
    const uneven = inner ? 0.1 * Math.sin(7 * i) : 0;
    const x = ((column + uneven) / cells) * width;
    const y = ((row - uneven) / cells) * height;
    const distances = edge.map(([ex, ey]) => Math.hypot(x - ex, y - ey));
    const distance = Math.min(...distances);
    return {
      at: [x, y] as const,
      nearest: distances.indexOf(distance),
      share: inner ? Math.exp(-((distance / reach) ** 2)) : 0,
      distance,
    };
  }).filter(({ at: place, distance }) => distance > 12 && !isInside(place, edge));
}

/** Whether a point lies inside a polygon. */
const isInside = ([x, y]: readonly [number, number], polygon: readonly (readonly [number, number])[]) =>
  polygon.reduce((inside, [x1, y1], i) => {
    const [x2, y2] = polygon[(i + 1) % polygon.length] as readonly [number, number];
    return y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1) ? !inside : inside;
  }, false);
