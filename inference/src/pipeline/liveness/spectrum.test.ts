import { gaussian, seeded } from '../../../test/synthetic-head';
import { powerSpectrum } from './spectrum';

const size = 64;
const grey = (level: (x: number, y: number) => number) => ({
  size,
  values: Float64Array.from({ length: size * size }, (_, i) => level(i % size, Math.floor(i / size))),
});

test.each([
  [5, 0],
  [0, 9],
  [12, 20],
  [-7, 3],
])('a wave of %i and %i cycles stands at its place and its mirror', (u, v) => {
  const wave = grey((x, y) => 100 + 3 * Math.cos((2 * Math.PI * (u * x + v * y)) / size));
  const power = powerSpectrum(wave);
  const place = (a: number, b: number) => ((b + size) % size) * size + ((a + size) % size);
  const ranked = [...power.keys()].sort((a, b) => (power[b] as number) - (power[a] as number));
  expect(new Set(ranked.slice(0, 2))).toEqual(new Set([place(u, v), place(-u, -v)]));
  // (amplitude / 2)^2 times the pixels, times the window's coherent gain over its power: (1/2)^4 / (3/8)^2.
  const expected = 1.5 ** 2 * size ** 2 * (0.5 ** 4 / 0.375 ** 2);
  expect(power[place(u, v)]).toBeCloseTo(expected, 0);
});

test('the mean power of white noise at every frequency is its variance', () => {
  const random = seeded(3);
  const power = powerSpectrum(grey(() => 5 * gaussian(random)));
  const mean = power.reduce((sum, value) => sum + value, 0) / power.length;
  expect(mean).toBeGreaterThan(22);
  expect(mean).toBeLessThan(28);
});

test('a uniform gray has no power', () => {
  expect(Math.max(...powerSpectrum(grey(() => 200)))).toBeLessThan(1e-12);
});

test('sizes are powers of two', () => {
  expect(() => powerSpectrum({ size: 6, values: new Float64Array(36) })).toThrow(RangeError);
});
