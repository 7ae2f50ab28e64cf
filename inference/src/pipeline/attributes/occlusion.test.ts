import { bandsOf, occlusionOf } from './occlusion';

/** 6 x 6 cells of two channels: the number of the row, and that of the column. */
const features = Float32Array.from({ length: 72 }, (_, i) =>
  i % 2 ? Math.floor(i / 2) % 6 : Math.floor(i / 12),
);

test('bands are means of two rows of cells', () => {
  const bands = bandsOf(features, 2);
  for (const [i, value] of [0.5, 2.5, 2.5, 2.5, 4.5, 2.5].entries()) expect(bands[i]).toBeCloseTo(value, 5);
});

test('value and confidence follow the probability', () => {
  const probe = { weights: [2, 0, 0, 0, 0, 0], bias: 0 };
  const { value, confidence } = occlusionOf({ features }, probe);
  expect(value).toBe(true);
  expect(confidence).toBeCloseTo(1 / (1 + Math.exp(-1)), 5);
  const opposite = occlusionOf({ features }, { ...probe, weights: probe.weights.map((weight) => -weight) });
  expect(opposite.value).toBe(false);
  expect(opposite.confidence).toBeCloseTo(confidence, 5);
});
