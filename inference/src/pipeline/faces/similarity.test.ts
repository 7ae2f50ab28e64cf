import { readCatalogue } from '../../catalogue/manifest';
import type { Calibration } from '../../catalogue/manifest-parts';
import { distanceBetween, similarityOf } from './similarity';

const calibration: Calibration = {
  source: 'test',
  curve: [
    [0, 1],
    [0.1, 0.8],
    [0.5, 0],
  ],
};

test('the distance of unit vectors is one minus their cosine', () => {
  const along = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle));
  expect(distanceBetween(along(1), along(1))).toBeCloseTo(0);
  expect(distanceBetween(along(0), along(Math.PI / 3))).toBeCloseTo(0.5);
  expect(distanceBetween(along(0), along(Math.PI))).toBeCloseTo(2);
});

test('similarity follows the curve and stays within it', () => {
  expect(similarityOf(0.05, calibration)).toBeCloseTo(0.9);
  expect(similarityOf(0.1, calibration)).toBeCloseTo(0.8);
  expect(similarityOf(0.3, calibration)).toBeCloseTo(0.4);
  expect(similarityOf(-1e-7, calibration)).toBe(1);
  expect(similarityOf(2, calibration)).toBe(0);
});

test.each([64, 128, 512, 1024])('a face has exactly the similarity 1 to itself, with %i values', (size) => {
  for (let run = 0; run < 200; run++) {
    const values = Float32Array.from({ length: size }, (_, i) => Math.sin(1 + run * 7.3 + i * i * 0.37));
    const length = Math.hypot(...values);
    const unit = values.map((value) => value / length);
    expect(similarityOf(distanceBetween(unit, unit), calibration)).toBe(1);
  }
});

test('the calibration of the catalogue falls monotonically from 1 to 0', async () => {
  const curve = (await readCatalogue()).find(({ id }) => id === 'face-recognition')?.calibration?.curve ?? [];
  expect(curve[0]).toEqual([0, 1]);
  expect(curve.at(-1)?.[1]).toBe(0);
  for (let i = 1; i < curve.length; i++) {
    const [before, current] = [curve[i - 1], curve[i]] as [[number, number], [number, number]];
    expect(current[0]).toBeGreaterThan(before[0]);
    expect(current[1]).toBeLessThan(before[1]);
  }
});
