import type { Overrides } from '@presenza/contract/console/types.d.ts';
import { overridesOf, valuesOf } from './overrides';

const overrides: Overrides = {
  quota: { imageAnalysis: 0 },
  overage: { livenessDetection: 0.05, imageAnalysis: 0.001 },
  burst: { limit: 10, windowSeconds: 1 },
  sessionBytes: 1_000_000,
};

test('the fields of a form become the overrides that they came from', () => {
  const texts = Object.entries(valuesOf(overrides)).map(([name, value]) => [name, String(value ?? '')]);
  expect(overridesOf(Object.fromEntries(texts))).toEqual(overrides);
});

test('a form without a value clears the overrides', () => {
  expect(overridesOf({ livenessDetection: '', burst: ' ', concurrency: '' })).toBeNull();
});

test('a rate limit needs its seconds, and seconds their limit', () => {
  expect(overridesOf({ burst: '5', window: '' })).toBe('both');
  expect(overridesOf({ burst: '', window: '1' })).toBe('both');
});
