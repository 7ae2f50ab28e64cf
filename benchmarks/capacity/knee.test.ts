import { clientMsOf, interpolatedKneeOf } from './knee.mjs';

type Step = readonly [offered: number, p95Ms: number, refused?: number, served?: number];

const kneeOf = (targetMs: number, ...steps: readonly Step[]) =>
  interpolatedKneeOf(
    steps.map(([offeredPerSecond, p95Ms, refusedShare = 0, served = 1]) => ({
      offeredPerSecond,
      p95Ms,
      refusedShare,
      servedPerSecond: served * offeredPerSecond,
      windowSeconds: 60,
    })),
    targetMs,
  );

test('it is where the line through the logarithms crosses the target', () => {
  expect(kneeOf(100, [10, 10], [20, 1000])).toBeCloseTo(15, 6);
});

test('a rate above one that is not carried does not count', () => {
  expect(kneeOf(1000.5, [10, 10], [20, 1000], [30, 10])).toBe(30);
  expect(kneeOf(100, [30, 10], [20, 1000], [10, 10])).toBeCloseTo(15, 6);
});

test('refusals and a backlog end it as well as slow responses do', () => {
  expect(kneeOf(100, [10, 10], [20, 20, 0.01, 0.99])).toBeCloseTo(19.8, 6);
  expect(kneeOf(100, [10, 10], [20, 20, 0, 0.9])).toBe(18);
});

test('a lowest rate that is not carried leaves no knee, a highest that is carried is the least it can be', () => {
  expect(kneeOf(100, [10, 200], [20, 400])).toBeUndefined();
  expect(kneeOf(100, [10, 20], [20, 40])).toBe(20);
});

test('the load generator costs as much as at the highest rate, where its idle time hardly counts', () => {
  const steps = [
    { offeredPerSecond: 50, servedPerSecond: 50, cpuCores: { k6: 0.1 } },
    { offeredPerSecond: 5, servedPerSecond: 5, cpuCores: { k6: 0.055 } },
  ];
  expect(clientMsOf(steps)).toBeCloseTo(2, 9);
});
