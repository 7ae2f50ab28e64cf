import { fitHomography, project } from './homography';

const square = Float32Array.of(0, 0, 100, 0, 100, 100, 0, 100, 30, 70, 80, 20);
const all = [0, 1, 2, 3, 4, 5];
const truth = Float64Array.of(1.1, 0.2, 5, -0.1, 0.9, 7, 0.0008, -0.0005, 1);

test('recovers the homography that made the points', () => {
  const seen = Float32Array.from(
    all.flatMap((i) => project(truth, square[2 * i] as number, square[2 * i + 1] as number)),
  );
  const fitted = fitHomography(square, seen, all);
  expect(fitted).toHaveLength(9);
  fitted?.forEach((value, i) => {
    expect(value).toBeCloseTo(truth[i] as number, 4);
  });
});

test('four points are met exactly, whatever they do', () => {
  const target = Float32Array.of(3, 2, 90, -5, 120, 80, -10, 70);
  const fitted = fitHomography(square, target, [0, 1, 2, 3]) as Float64Array;
  for (const i of [0, 1, 2, 3]) {
    const [x, y] = project(fitted, square[2 * i] as number, square[2 * i + 1] as number);
    expect(x).toBeCloseTo(target[2 * i] as number, 3);
    expect(y).toBeCloseTo(target[2 * i + 1] as number, 3);
  }
});

test.each([
  ['three points', square, [0, 1, 2]],
  ['points on one line', Float32Array.of(0, 0, 10, 10, 20, 20, 30, 30, 40, 40), [0, 1, 2, 3, 4]],
  ['one point many times', new Float32Array(10).fill(5), [0, 1, 2, 3, 4]],
])('%s determine none', (_name, points, indices) => {
  expect(fitHomography(points, points, indices)).toBeUndefined();
});
