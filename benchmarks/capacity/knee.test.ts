import { evaluate } from '../lib/testing';

const kneeOf = (steps: readonly (readonly [number, number, number?, number?])[], targetMs: number) => {
  const curve = steps.map(([offeredPerSecond, p95Ms, refusedShare = 0, served = 1]) => ({
    offeredPerSecond,
    p95Ms,
    refusedShare,
    servedPerSecond: served * offeredPerSecond,
    windowSeconds: 60,
  }));
  const imports = "import { interpolatedKneeOf } from './capacity/knee.mjs';";
  return evaluate<number | null>(
    imports,
    `interpolatedKneeOf(${JSON.stringify(curve)}, ${targetMs}) ?? null`,
  );
};

test('it is where the line through the logarithms crosses the target', () => {
  expect(
    kneeOf(
      [
        [10, 10],
        [20, 1000],
      ],
      100,
    ),
  ).toBeCloseTo(15, 6);
});

test('a rate above one that is not carried does not count', () => {
  expect(
    kneeOf(
      [
        [10, 10],
        [20, 1000],
        [30, 10],
      ],
      1000.5,
    ),
  ).toBe(30);
  expect(
    kneeOf(
      [
        [30, 10],
        [20, 1000],
        [10, 10],
      ],
      100,
    ),
  ).toBeCloseTo(15, 6);
});

test('refusals and a backlog end it as well as slow responses do', () => {
  expect(
    kneeOf(
      [
        [10, 10],
        [20, 20, 0.01, 0.99],
      ],
      100,
    ),
  ).toBeCloseTo(19.8, 6);
  expect(
    kneeOf(
      [
        [10, 10],
        [20, 20, 0, 0.9],
      ],
      100,
    ),
  ).toBe(18);
});

test('a lowest rate that is not carried leaves no knee, a highest that is carried is the least it can be', () => {
  expect(
    kneeOf(
      [
        [10, 200],
        [20, 400],
      ],
      100,
    ),
  ).toBeNull();
  expect(
    kneeOf(
      [
        [10, 20],
        [20, 40],
      ],
      100,
    ),
  ).toBe(20);
});
