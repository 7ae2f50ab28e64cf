import { area, clip, overlap, suppress } from './boxes';

const box = (left: number, top: number, width: number, height: number) => ({ left, top, width, height });

test('overlap is intersection over union', () => {
  expect(overlap(box(0, 0, 0.2, 0.2), box(0, 0, 0.2, 0.2))).toBeCloseTo(1);
  expect(overlap(box(0, 0, 0.2, 0.2), box(0.1, 0, 0.2, 0.2))).toBeCloseTo(1 / 3);
  expect(overlap(box(0, 0, 0.2, 0.2), box(0.2, 0, 0.2, 0.2))).toBe(0);
  expect(overlap(box(0, 0, 0.4, 0.4), box(0.1, 0.1, 0.2, 0.2))).toBeCloseTo(0.25);
});

test('suppression keeps the best box of each cluster, best first', () => {
  const weak = { ...box(0.01, 0, 0.2, 0.2), score: 0.6 };
  const strong = { ...box(0, 0, 0.2, 0.2), score: 0.9 };
  const elsewhere = { ...box(0.5, 0.5, 0.2, 0.2), score: 0.7 };
  expect(suppress([weak, strong, elsewhere], 0.4)).toEqual([strong, elsewhere]);
  expect(suppress([weak, strong], 0.95)).toEqual([strong, weak]);
});

test('clipping keeps the part inside the image', () => {
  const clipped = clip(box(-0.1, 0.9, 0.3, 0.3));
  expect(clipped.left).toBe(0);
  expect(clipped.width).toBeCloseTo(0.2);
  expect(clipped.height).toBeCloseTo(0.1);
  expect(area(clip(box(1.2, 0, 0.3, 0.3)))).toBe(0);
});
