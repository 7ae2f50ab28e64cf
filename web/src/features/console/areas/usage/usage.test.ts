import type { ProductUsage } from '@presenza/contract/console/types.d.ts';
import { scaleOf } from '../../parts/scale';
import { seriesOf } from './usage-data';

test.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [10, 10],
  [11, 20],
  [999, 1000],
  [1001, 2000],
])('a scale for %d units ends at %d', (highest, end) => {
  expect(scaleOf(highest)).toBe(end);
});

const labels = { group: 'Image analyses', product: (id: string) => id };
const product = (daily: number[] | null): ProductUsage => ({
  product: 'faceDetection',
  group: 'imageAnalysis',
  used: 3,
  daily,
});
const liveness: ProductUsage = {
  product: 'livenessVerification',
  group: 'livenessDetection',
  used: 0,
  daily: [0, 0],
};
const daily = [
  { date: '2026-11-01', imageAnalysis: 1, livenessDetection: 0 },
  { date: '2026-11-02', imageAnalysis: 2, livenessDetection: 0 },
];

test('shows the products of a group by day', () => {
  const usage = { daily, products: [product([0, 3]), liveness] };
  expect(seriesOf(usage, 'imageAnalysis', labels)).toEqual([{ label: 'faceDetection', days: [0, 3] }]);
});

test('shows the group as a whole if the days do not have all units of a product', () => {
  const usage = { daily, products: [product(null), liveness] };
  expect(seriesOf(usage, 'imageAnalysis', labels)).toEqual([{ label: 'Image analyses', days: [1, 2] }]);
});
