import { evaluate } from '../lib/testing';

const match = (points: number[][], boxes: object[]) =>
  evaluate<(number | null)[]>(
    "import { matchPoints } from './accuracy/matching.mjs';",
    `matchPoints(${JSON.stringify(points)}, ${JSON.stringify(boxes)})`,
  );

const left = { left: 0, top: 0, width: 0.5, height: 1 };
const right = { left: 0.5, top: 0, width: 0.5, height: 1 };
const all = { left: 0, top: 0, width: 1, height: 1 };

test('a box stands for one point only', () => {
  expect(
    match(
      [
        [0.2, 0.5],
        [0.3, 0.5],
      ],
      [left],
    ),
  ).toEqual([0, null]);
});

test('a point moves to another box that holds it, so that both are found', () => {
  expect(
    match(
      [
        [0.7, 0.5],
        [0.2, 0.5],
      ],
      [all, right],
    ),
  ).toEqual([1, 0]);
});

test('boxes without a point and points without a box stay alone', () => {
  expect(match([[0.2, 0.5]], [right, left])).toEqual([1]);
  expect(match([[0.2, 0.5]], [right])).toEqual([null]);
});
