import type { Affine } from '../image/geometry';
import { maskOf } from './outline';

const size = 10;
/** Corners of a square, its middle and a point on its side. */
const square = (from: number, to: number) =>
  Float32Array.of(
    from,
    from,
    to,
    from,
    (from + to) / 2,
    (from + to) / 2,
    to,
    to,
    from,
    to,
    (from + to) / 2,
    from,
  );
const same: Affine = [1, 0, 0, 0, 1, 0];
const insideOf = (from: number, to: number) =>
  Array.from({ length: size ** 2 }, (_, i) =>
    Number([i % size, Math.floor(i / size)].every((value) => value >= from && value <= to)),
  );

test('contains the pixels inside the outline', () => {
  expect([...maskOf(square(2, 7), same, size, 0)]).toEqual(insideOf(2, 7));
});

test('leaves out pixels near the outline', () => {
  expect([...maskOf(square(2, 7), same, size, 1)]).toEqual(insideOf(3, 6));
});

test('measures the distance to the outline in pixels of the crop', () => {
  const map: Affine = [2, 0, 100, 0, 2, 100];
  expect([...maskOf(square(104, 114), map, size, 1)]).toEqual(insideOf(3, 6));
});

test('contains nothing if the face lies outside the crop', () => {
  expect(maskOf(square(20, 30), same, size, 0)).not.toContain(1);
});
