/** Meshes of heads and of flat faces that were never photographed: points in space, turned, projected, with noise. */
import { facePlane, noseRidge } from '../src/pipeline/liveness/landmarks';
import type { Sighting } from '../src/pipeline/liveness/track';

/** Places of the landmarks of a face in millimeters: x to the viewer's right, y down; mirrored for the left side. */
const rightSide: Readonly<Record<number, readonly [number, number]>> = {
  33: [-45, 0],
  133: [-17, 1],
  151: [0, -45],
  9: [0, -25],
  108: [-15, -48],
  69: [-30, -45],
  117: [-42, 25],
  50: [-40, 35],
  205: [-35, 50],
  1: [0, 45],
  2: [0, 51],
  4: [0, 42],
  5: [0, 36],
  45: [-6, 44],
};
const twins: Readonly<Record<number, number>> = {
  263: 33,
  362: 133,
  337: 108,
  299: 69,
  346: 117,
  280: 50,
  425: 205,
  275: 45,
};

/** The base of the nose lies on the lip, not on the ridge. */
const noseBase = 2;

/** Half axes of the head's ellipsoid, and how far the nose stands out of it. */
const head = { x: 75, y: 105, z: 85, nose: 22 };

const place = (index: number): readonly [number, number] => {
  const twin = twins[index];
  if (twin === undefined) return rightSide[index] as readonly [number, number];
  const [x, y] = rightSide[twin] as readonly [number, number];
  return [-x, y];
};

/** Depth in millimeters, negative toward the camera. */
const depthOf: Record<Shape, (index: number) => number> = {
  plane: () => 0,
  head: (index) => {
    const [x, y] = place(index);
    const ellipsoid = head.z * Math.sqrt(1 - (x / head.x) ** 2 - (y / head.y) ** 2);
    return -ellipsoid - (noseRidge.includes(index) ? head.nose : 0);
  },
};

export type Shape = 'head' | 'plane';

export interface View {
  readonly yaw: number;
  readonly pitch?: number;
  /** Distance from the camera in millimeters. */
  readonly distance?: number;
  /** Standard deviation of the landmarks in pixels; eyes lie about 90 pixels apart. */
  readonly noise?: number;
  readonly random?: () => number;
  readonly timeMs?: number;
}

/** One view of a shape, turned about its own middle; positive yaw turns to the person's left. */
export function viewOf(shape: Shape, view: View): Sighting {
  const { yaw, pitch = 0, distance = 500, noise = 0, random = seeded(1), timeMs = 0 } = view;
  const points = new Float32Array(2 * 468);
  const focal = (distance * 90) / 62;
  const [cosYaw, sinYaw] = turn(yaw);
  const [cosPitch, sinPitch] = turn(pitch);
  for (const index of [...facePlane, ...noseRidge, noseBase]) {
    const [x, y] = place(index);
    const z = depthOf[shape](index);
    const y1 = cosPitch * y + sinPitch * z;
    const z1 = cosPitch * z - sinPitch * y;
    const x2 = cosYaw * x - sinYaw * z1;
    const z2 = cosYaw * z1 + sinYaw * x;
    const scale = focal / (distance + z2);
    points[2 * index] = 640 + x2 * scale + noise * gaussian(random);
    points[2 * index + 1] = 360 + y1 * scale + noise * gaussian(random);
  }
  return { timeMs, points, pose: { yaw, pitch, roll: 0 } };
}

const turn = (degrees: number) => {
  const angle = (degrees * Math.PI) / 180;
  return [Math.cos(angle), Math.sin(angle)] as const;
};

/** Numbers from 0 to 1, the same for a seed: Mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Standard normal numbers: Box and Muller, 1958. */
export const gaussian = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
