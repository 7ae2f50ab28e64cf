import { ANCHORS, HALF_POINTS, HALF_TRIANGLES, MIDLINE_COUNT } from './face-geometry';
import { projectFace } from './project-face';

const FRONT = { x: 0, y: 0, scale: 100 };
const segments = (path: string) => path.match(/M[^M]+/g) ?? [];

test('every triangle refers to three existing points', () => {
  expect(HALF_TRIANGLES.length % 3).toBe(0);
  expect(Math.max(...HALF_TRIANGLES)).toBe(HALF_POINTS.length / 3 - 1);
  expect(Math.min(...HALF_TRIANGLES)).toBe(0);
});

test('the midline of the mesh is the center of a frontal face', () => {
  for (let index = 0; index < MIDLINE_COUNT; index++) expect(projectFace(FRONT).point(index).x).toBe(0);
});

test('a frontal face is symmetric', () => {
  const edges = segments(projectFace(FRONT).mesh).map((edge) => toKey(edge, 1));
  const mirrored = segments(projectFace(FRONT).mesh).map((edge) => toKey(edge, -1));
  expect(new Set(mirrored)).toEqual(new Set(edges));
  expect(new Set(edges).size).toBe(edges.length);
});

test('a turn moves the nose in its direction and hides the far cheek', () => {
  const front = projectFace(FRONT);
  const right = projectFace({ ...FRONT, yaw: 40 });
  const [, nose = 0] = ANCHORS;
  expect(right.point(nose).x).toBeGreaterThan(front.point(nose).x + 20);
  expect(segments(right.mesh).length).toBeLessThan(segments(front.mesh).length);
});

test('lifting the chin moves the nose up', () => {
  const [, nose = 0] = ANCHORS;
  expect(projectFace({ ...FRONT, pitch: 20 }).point(nose).y).toBeLessThan(projectFace(FRONT).point(nose).y);
});

test('position and scale only move and resize a face', () => {
  const moved = projectFace({ x: 500, y: 300, scale: 200 });
  const front = projectFace(FRONT);
  for (const anchor of ANCHORS) {
    const [small, large] = [front.point(anchor), moved.point(anchor)];
    expect(large.x).toBeCloseTo(500 + small.x * 2, 0);
    expect(large.y).toBeCloseTo(300 + small.y * 2, 0);
  }
});

/** An edge as its two ends in a fixed order, with x times `sign`. */
function toKey(edge: string, sign: 1 | -1) {
  const ends = edge
    .slice(1)
    .split('L')
    .map((end) => {
      const [x = 0, y = 0] = end.split(' ').map(Number);
      return `${x * sign + 0} ${y}`;
    });
  return ends.sort().join(' to ');
}
