import { productIds } from '../contract/products';
import type { Account } from '../keys/accounts';
import { forEach } from '../plans/terms';
import { forecastOf } from './forecast';
import { productsUsed, totalOf } from './products-used';
import type { MonthCounters } from './usage';

const account = { id: 'acc_1', name: 'Tests', plan: 'growth', createdAt: 1 } as const satisfies Account;
const none = { livenessDetection: 0, imageAnalysis: 0 };
const countersOf = (imageAnalysis: readonly number[]): MonthCounters => ({
  used: { ...none, imageAnalysis: totalOf(imageAnalysis) },
  reserved: none,
  days: { livenessDetection: [], imageAnalysis },
  products: forEach(productIds, () => ({ withoutDay: 0, days: [] })),
});
const at = (day: number, hour = 0) => ({
  mode: 'live' as const,
  month: '2026-11',
  now: Date.UTC(2026, 10, day, hour),
});
const images = (days: readonly number[], period = at(days.length)) =>
  forecastOf(account, countersOf(days), period)?.imageAnalysis;

test.each([
  ['the mean of the full days for each day that is left', [10, 20, 0], 30 + 15 * 28],
  ['the day of today as a day with the mean until it has more', [10, 20, 40], 70 + 15 * 27],
  ['the last seven full days only', [900, 0, 0, 7, 7, 7, 7, 0, 0], 928 + 4 * 22],
  ['nothing where nothing was used', [0, 0, 0], 0],
])('a forecast takes %s', (_title, days, units) => {
  expect(images(days)?.units).toBe(units);
});

test('a forecast has the share of the quota and the cost of the overage', () => {
  expect(images([40, 40, 0])).toEqual({ units: 1_200, share: 1.2, overageUnits: 200, overageCost: 3 });
  expect(images([40, 40, 0], { ...at(3), mode: 'test' as never })).toMatchObject({
    share: 1.2,
    overageCost: 0,
  });
  const quota = { overrides: { quota: { imageAnalysis: 0 } } };
  expect(forecastOf({ ...account, ...quota }, countersOf([1, 0]), at(2))?.imageAnalysis.share).toBeNull();
});

test('there is no forecast on the first day and for a month that is over', () => {
  expect(forecastOf(account, countersOf([5]), at(1, 23))).toBeNull();
  expect(forecastOf(account, countersOf([5]), { ...at(1), now: Date.UTC(2026, 11, 9) })).toBeNull();
});

test('a product has no days if the service began to count them within the month', () => {
  const counters = { ...countersOf([]).products, faceDetection: { withoutDay: 2, days: [0, 3] } };
  const [detection, comparison] = productsUsed(counters);
  expect(detection).toEqual({ product: 'faceDetection', group: 'imageAnalysis', used: 5, daily: null });
  expect(comparison).toMatchObject({ used: 0, daily: [] });
});
