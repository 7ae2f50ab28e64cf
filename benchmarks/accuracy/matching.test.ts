import { matchPoints, nearestToCenter } from './matching.mjs';

const left = { left: 0, top: 0, width: 0.5, height: 1 };
const right = { left: 0.5, top: 0, width: 0.5, height: 1 };
const all = { left: 0, top: 0, width: 1, height: 1 };
const at = (...xs: number[]) => xs.map((x): [number, number] => [x, 0.5]);

test('a box stands for one point only', () => {
  expect(matchPoints(at(0.2, 0.3), [left])).toEqual([0, undefined]);
});

test('a point moves to another box that holds it, so that both are found', () => {
  expect(matchPoints(at(0.7, 0.2), [all, right])).toEqual([1, 0]);
});

test('boxes without a point and points without a box stay alone', () => {
  expect(matchPoints(at(0.2), [right, left])).toEqual([1]);
  expect(matchPoints(at(0.2), [right])).toEqual([undefined]);
});

test('the labeled person is the one nearest to the middle, and nobody near the edge', () => {
  expect(nearestToCenter([left, all, right], (box) => box)).toBe(all);
  expect(nearestToCenter([left, right], (box) => box)).toBeUndefined();
});
