import { termsOf } from './terms';
import { type MonthCounters, usageReport } from './usage';

const none = { livenessDetection: 0, imageAnalysis: 0 };
const counters = (livenessDetection: number, imageAnalysis: number, more: object = {}): MonthCounters => ({
  used: { livenessDetection, imageAnalysis },
  reserved: none,
  days: { livenessDetection: [], imageAnalysis: [imageAnalysis] },
  ...more,
});
const of = {
  plan: 'growth',
  mode: 'live',
  terms: termsOf('growth'),
  month: '2026-02',
  current: true,
} as const;

test('units beyond the quota, times the rate; the sum of both groups', () => {
  const report = usageReport(counters(212, 1_003), of);
  expect(report.productGroups).toMatchObject({
    livenessDetection: { overageUnits: 12, overageCost: 3, remaining: 0 },
    imageAnalysis: { overageUnits: 3, overageCost: 0.045, remaining: 0 },
  });
  expect(report.overageCost).toBe(3.045);
});

test('sums are exact where fractions of a dollar would not be', () => {
  const terms = termsOf('enterprise');
  const report = usageReport(counters(0, terms.quota.imageAnalysis + 333_333), { ...of, terms });
  expect(report.overageCost).toBe(2_666.664);
});

test('what is reserved is no longer there to be used, and is not billed', () => {
  const report = usageReport(counters(0, 998, { reserved: { livenessDetection: 0, imageAnalysis: 5 } }), of);
  expect(report.productGroups).toMatchObject({
    imageAnalysis: { remaining: 0, overageUnits: 0, reserved: 5 },
  });
});

test('a free plan and a test key have no overage', () => {
  const free = usageReport(counters(0, 60), { ...of, plan: 'free', terms: termsOf('free') });
  expect(free.productGroups).toMatchObject({ imageAnalysis: { overageUnits: 0, overageCost: 0 } });
  expect(usageReport(counters(900, 9_000), { ...of, mode: 'test' }).overageCost).toBe(0);
});

test('an earlier month is billed by its own terms, this one by those of today', () => {
  const { quota, overage } = termsOf('basic');
  const then = counters(0, 600, { terms: { quota, overage } });
  expect(usageReport(then, { ...of, current: false }).overageCost).toBe(2);
  expect(usageReport(then, of).overageCost).toBe(0);
});

test('every day of the month has its place', () => {
  const { daily } = usageReport(counters(0, 7), of);
  expect(daily).toHaveLength(28);
  expect(daily[0]).toEqual({ date: '2026-02-01', livenessDetection: 0, imageAnalysis: 7 });
  expect(daily.at(-1)).toEqual({ date: '2026-02-28', livenessDetection: 0, imageAnalysis: 0 });
});
