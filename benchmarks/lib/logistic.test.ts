import { fitLogistic, logOdds } from './logistic.mjs';

/** Two clouds along the first feature, whose middle is 3; the second feature is constant. */
const rows = Array.from({ length: 60 }, (_, i) =>
  Float64Array.of((i % 2 ? 4 : 2) + 1.5 * Math.sin(12.9 * i), 7),
);
const truths = rows.map((_, i) => i % 2 === 1);

test('finds the middle between two classes', () => {
  const model = fitLogistic(rows, truths, { penalty: 0.01 });
  expect(model.weights[0]).toBeGreaterThan(0.5);
  expect(logOdds(model, Float64Array.of(3, 7))).toBeCloseTo(0, 0.3);
});

test('a class counts the same, however many rows it has', () => {
  const many = [...rows, ...rows.filter((_, i) => i % 2), ...rows.filter((_, i) => i % 2)];
  const model = fitLogistic(rows, truths, { penalty: 0.01 });
  const uneven = fitLogistic(many, [...truths, ...Array<boolean>(60).fill(true)], { penalty: 0.01 });
  const row = Float64Array.of(3.4, 7);
  expect(logOdds(uneven, row)).toBeCloseTo(logOdds(model, row), 1);
});

test('a stronger penalty shrinks the weights', () => {
  const [weak, strong] = [0.01, 1].map((penalty) => fitLogistic(rows, truths, { penalty }).weights[0]);
  expect(Math.abs(strong as number)).toBeLessThan(Math.abs(weak as number) / 2);
});
