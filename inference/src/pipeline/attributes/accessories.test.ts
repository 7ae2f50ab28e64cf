import { type AccessoryProbes, accessoriesOf } from './accessories';

/** A probe whose logit is its own feature. */
const only = (index: number) => ({
  weights: Array.from({ length: 4 }, (_, i) => Number(i === index)),
  bias: 0,
});
const probes: AccessoryProbes = { glasses: only(0), sunglasses: only(1), mask: only(2), headwear: only(3) };
const seen = (...logits: number[]) =>
  accessoriesOf(Float32Array.from(logits), probes).map(({ type }) => type);

test('lists accessories above 0.5, most likely first', () => {
  expect(seen(-1, -2, -3, -4)).toEqual([]);
  expect(seen(1, -2, 3, 2)).toEqual(['mask', 'headwear', 'glasses']);
  const [mask] = accessoriesOf(Float32Array.of(-1, -1, 3, -1), probes);
  expect(mask?.confidence).toBeCloseTo(1 / (1 + Math.exp(-3)), 5);
});

test('never returns both glasses and sunglasses', () => {
  expect(seen(2, 1, -1, -1)).toEqual(['glasses']);
  expect(seen(1, 2, -1, 3)).toEqual(['headwear', 'sunglasses']);
});
