import { areFaceShaped, pointsOfFive } from './candidates';

/** Eyes, nose and mouth, turned by some degrees. */
function points(nose: readonly [number, number] = [1, 12], degrees = 0): Float32Array {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return Float32Array.from(
    [[-10, 0], [10, 0], nose, [0, 21]].flatMap(([x = 0, y = 0]) => [x * cos - y * sin, x * sin + y * cos]),
  );
}

test.each([0, 40, 180, -90])('a face turned by %i degrees is shaped like one', (degrees) => {
  expect(areFaceShaped(points(undefined, degrees))).toBe(true);
});

test('a nose above the eyes, below the mouth or far aside is no face, nor are points at one place', () => {
  expect(areFaceShaped(points([0, -3]))).toBe(false);
  expect(areFaceShaped(points([0, 24]))).toBe(false);
  expect(areFaceShaped(points([14, 12]))).toBe(false);
  expect(areFaceShaped(new Float32Array(8))).toBe(false);
});

test('eyes much farther apart than from the mouth are no face', () => {
  expect(areFaceShaped(Float32Array.of(-30, 0, 30, 0, 0, 12, 0, 21))).toBe(false);
});

test('the mouth of five points is the middle of its corners', () => {
  const five = Float32Array.of(1, 2, 3, 4, 5, 6, 10, 20, 30, 22);
  expect([...pointsOfFive(five)]).toEqual([1, 2, 3, 4, 5, 6, 20, 21]);
});
