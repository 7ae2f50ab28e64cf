import { area, insideOf, isDouble, overlap, suppress } from './boxes';

const box = (left: number, top: number, width: number, height: number) => ({ left, top, width, height });

test('overlap is intersection over union', () => {
  expect(overlap(box(0, 0, 0.2, 0.2), box(0, 0, 0.2, 0.2))).toBeCloseTo(1);
  expect(overlap(box(0, 0, 0.2, 0.2), box(0.1, 0, 0.2, 0.2))).toBeCloseTo(1 / 3);
  expect(overlap(box(0, 0, 0.2, 0.2), box(0.2, 0, 0.2, 0.2))).toBe(0);
  expect(overlap(box(0, 0, 0.4, 0.4), box(0.1, 0.1, 0.2, 0.2))).toBeCloseTo(0.25);
});

test('boxes are of one face if they overlap, or if most of one lies inside the other', () => {
  const face = box(0, 0, 100, 100);
  expect(isDouble(face, box(30, 0, 100, 100))).toBe(true);
  expect(isDouble(face, box(50, 0, 100, 100))).toBe(false);
  expect(isDouble(face, box(40, 40, 45, 45))).toBe(true);
  expect(isDouble(box(80, 40, 45, 45), face)).toBe(false);
  // The smaller face could be on a card that somebody holds before the face.
  expect(isDouble(face, box(40, 40, 35, 35))).toBe(false);
});

test('suppression keeps the best box of each face, best first', () => {
  const weak = { ...box(0.01, 0, 0.2, 0.2), score: 0.6 };
  const strong = { ...box(0, 0, 0.2, 0.2), score: 0.9 };
  const elsewhere = { ...box(0.5, 0.5, 0.2, 0.2), score: 0.7 };
  expect(suppress([weak, strong, elsewhere])).toEqual([strong, elsewhere]);
  expect(suppress([weak, strong, elsewhere], 1)).toEqual([strong]);
});

test('the part of a box inside its image', () => {
  const image = { width: 200, height: 100 };
  expect(insideOf(box(-10, 90, 30, 30), image)).toEqual(box(0, 90, 20, 10));
  expect(area(insideOf(box(220, 0, 30, 30), image))).toBe(0);
});
