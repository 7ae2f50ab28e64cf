import { fitLogistic } from './logistic.mjs';
import { seeded } from './occlusions.mjs';

test('finds the weights that made the labels, whatever the scale of the features', () => {
  const random = seeded(1);
  const rows = Array.from({ length: 4000 }, () =>
    Float32Array.of(20 * random() - 10, 0.1 * random(), 5 + random()),
  );
  const labels = rows.map(([a, b]) => random() < 1 / (1 + Math.exp(1 - 0.3 * a + 20 * (b - 0.05))));
  const { weights, bias } = fitLogistic(rows, labels, { penalty: 1e-6, steps: 400 });
  expect(Math.abs(weights[0] - 0.3)).toBeLessThan(0.03);
  expect(Math.abs(weights[1] + 20)).toBeLessThan(3);
  // At the middle of the features, where the third does not matter.
  const middle = bias + 0.05 * weights[1] + 5.5 * weights[2];
  expect(Math.abs(middle + 1)).toBeLessThan(0.2);
});

test('the penalty shrinks the weights', () => {
  const rows = [-2, -1, 1, 2].map((value) => Float32Array.of(value));
  const fit = (penalty: number) => fitLogistic(rows, [false, false, true, true], { penalty, steps: 300 });
  const [free, held] = [1e-3, 1].map((penalty) => fit(penalty).weights[0]);
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(free / 3);
});
