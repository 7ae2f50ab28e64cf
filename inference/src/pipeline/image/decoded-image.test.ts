import { DecodedImage, mirror } from './decoded-image';
import { cropMap } from './geometry';

/** An image whose red is 10 times x and green 10 times y. */
function ramp(width: number, height: number): DecodedImage {
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set([10 * x, 10 * y, 7], 3 * (y * width + x));
  return DecodedImage.fromRgb(data, width, height);
}

const sampled = (image: DecodedImage, map: Parameters<DecodedImage['sample']>[0], size: number) => {
  const into = new Uint8Array(3 * size * size);
  image.sample(map, size, into);
  return (x: number, y: number) => [...into.subarray(3 * (y * size + x), 3 * (y * size + x) + 3)];
};

test('the identity map copies', () => {
  const at = sampled(ramp(8, 8), [1, 0, 0, 0, 1, 0], 8);
  for (const [x, y] of [
    [0, 0],
    [7, 0],
    [3, 5],
    [7, 7],
  ] as const)
    expect(at(x, y)).toEqual([10 * x, 10 * y, 7]);
});

test('interpolates between pixels, extends the edge by half a pixel, and is black outside', () => {
  const at = sampled(ramp(8, 8), [0.5, 0, -1, 0, 0.5, 0], 12);
  expect(at(3, 1)).toEqual([5, 5, 7]);
  expect(at(1, 0)).toEqual([0, 0, 7]);
  expect(at(0, 0)).toEqual([0, 0, 0]);
});

test('shrinking averages: a checkerboard becomes gray at any factor', () => {
  const data = new Uint8Array(3 * 64 * 64).map(
    (_, i) => ((Math.floor(i / 3) + Math.floor(i / 3 / 64)) % 2) * 255,
  );
  const board = DecodedImage.fromRgb(data, 64, 64);
  for (const size of [32, 16, 8]) {
    const at = sampled(board, [64 / size, 0, (64 / size - 1) / 2, 0, 64 / size, (64 / size - 1) / 2], size);
    for (const value of at(size / 2, size / 2)) expect(Math.abs(value - 128)).toBeLessThanOrEqual(1);
  }
});

test('halving keeps positions', () => {
  const at = sampled(ramp(24, 24), [4, 0, 1.5, 0, 4, 1.5], 6);
  expect(at(2, 3)).toEqual([95, 135, 7]);
});

test('turned crops show the right pixels', () => {
  const at = sampled(ramp(20, 20), cropMap({ x: 10, y: 8, side: 5, angle: Math.PI / 2 }, 5), 5);
  expect(at(2, 2)).toEqual([100, 80, 7]);
  expect(at(4, 2)).toEqual([100, 100, 7]);
});

test.each([
  [1, 1],
  [1, 9],
  [9, 1],
])('images of %i x %i can be sampled', (width, height) => {
  const at = sampled(ramp(width, height), [1, 0, 0, 0, 1, 0], 2);
  expect(at(0, 0)).toEqual([0, 0, 7]);
});

test('squeezing maps corners to corners', () => {
  const into = new Uint8Array(3 * 5 * 5);
  ramp(9, 3).squeeze(5, into);
  expect([...into.subarray(0, 3)]).toEqual([0, 0, 7]);
  expect([...into.subarray(into.length - 3)]).toEqual([80, 20, 7]);
});

test('mirroring twice gives the original', () => {
  const pixels = new Uint8Array(3 * 6 * 6);
  ramp(6, 6).sample([1, 0, 0, 0, 1, 0], 6, pixels);
  const original = pixels.slice();
  mirror(pixels, 6);
  expect(pixels[0]).toBe(50);
  mirror(pixels, 6);
  expect(pixels).toEqual(original);
});
