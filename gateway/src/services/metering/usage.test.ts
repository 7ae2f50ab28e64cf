import { productIds } from '../contract/products';
import type { Account } from '../keys/accounts';
import { forEach, termsOf } from '../plans/terms';
import { type MonthCounters, usageReport } from './usage';

const none = { livenessDetection: 0, imageAnalysis: 0 };
const counters = (livenessDetection: number, imageAnalysis: number, more: object = {}): MonthCounters => ({
  used: { livenessDetection, imageAnalysis },
  reserved: none,
  days: { livenessDetection: [], imageAnalysis: [imageAnalysis] },
  products: forEach(productIds, () => ({ withoutDay: 0, days: [] })),
  ...more,
});
const period = { mode: 'live', month: '2026-02', now: Date.UTC(2026, 1, 14) } as const;
const accountOn = (plan: Account['plan'], more: Partial<Account> = {}): Account => ({
  id: 'acc_1',
  name: 'Tests',
  plan,
  createdAt: 1,
  ...more,
});
const growth = accountOn('growth');

test('units over quota, times the rate; the sum of both groups', () => {
  const report = usageReport(growth, counters(212, 1_003), period);
  expect(report.productGroups).toMatchObject({
    livenessDetection: { overageUnits: 12, overageCost: 3, remaining: 0 },
    imageAnalysis: { overageUnits: 3, overageCost: 0.045, remaining: 0 },
  });
  expect(report.overageCost).toBe(3.045);
});

test('sums are exact where fractions of a dollar would not be', () => {
  const terms = termsOf('enterprise');
  const report = usageReport(
    accountOn('enterprise'),
    counters(0, terms.quota.imageAnalysis + 333_333),
    period,
  );
  expect(report.overageCost).toBe(2_666.664);
});

test('reserved operations reduce the remaining quota and are not billed', () => {
  const report = usageReport(
    growth,
    counters(0, 998, { reserved: { livenessDetection: 0, imageAnalysis: 5 } }),
    period,
  );
  expect(report.productGroups).toMatchObject({
    imageAnalysis: { remaining: 0, overageUnits: 0, reserved: 5 },
  });
});

test('a free plan and a test key have no overage', () => {
  const free = usageReport(accountOn('free'), counters(0, 60), period);
  expect(free.productGroups).toMatchObject({ imageAnalysis: { overageUnits: 0, overageCost: 0 } });
  expect(usageReport(growth, counters(900, 9_000), { ...period, mode: 'test' }).overageCost).toBe(0);
});

test('a month is billed by the terms at its end, whatever came before and after', () => {
  const account = accountOn('free', {
    earlierTerms: [
      { until: Date.UTC(2026, 1, 10), plan: 'growth' },
      { until: Date.UTC(2026, 2, 5), plan: 'basic' },
    ],
  });
  const cost = (month: string, now: number) =>
    usageReport(account, counters(0, 1_600), { ...period, month, now }).overageCost;
  const later = Date.UTC(2026, 5, 1);
  expect(cost('2026-01', later)).toBe(600 * 0.015);
  expect(cost('2026-02', later)).toBe(1_100 * 0.02);
  expect(cost('2026-03', later)).toBe(0);
  // During the month, the terms of today apply, and can still change.
  expect(cost('2026-02', Date.UTC(2026, 1, 9))).toBe(600 * 0.015);
});

test('every day of the month has its place', () => {
  const { daily } = usageReport(growth, counters(0, 7), period);
  expect(daily).toHaveLength(28);
  expect(daily[0]).toEqual({ date: '2026-02-01', livenessDetection: 0, imageAnalysis: 7 });
  expect(daily.at(-1)).toEqual({ date: '2026-02-28', livenessDetection: 0, imageAnalysis: 0 });
});
