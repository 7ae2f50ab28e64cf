import plans from '@presenza/contract/plans.json';
import { cheapestOf, monthlyCost } from './cost';

const [free, basic, growth, business, enterprise] = plans as [Plan, Plan, Plan, Plan, Plan];
type Plan = (typeof plans)[number];

const usage = (livenessDetection: number, imageAnalysis: number) => ({ livenessDetection, imageAnalysis });

test('a month within the quota costs the price of the plan', () => {
  const { livenessDetection, imageAnalysis } = growth.quota.productGroups;
  expect(monthlyCost(growth, usage(livenessDetection, imageAnalysis))).toEqual({
    kind: 'priced',
    base: growth.pricing.basePrice,
    overage: 0,
    total: growth.pricing.basePrice,
  });
});

test('overage of each group is billed at its own rate, regardless of the other group', () => {
  const { livenessDetection, imageAnalysis } = basic.quota.productGroups;
  const rates = basic.pricing.overage ?? usage(0, 0);
  expect(monthlyCost(basic, usage(livenessDetection + 7, 0))).toMatchObject({
    overage: expect.closeTo(7 * rates.livenessDetection),
  });
  expect(monthlyCost(basic, usage(livenessDetection + 7, imageAnalysis + 3))).toMatchObject({
    overage: expect.closeTo(7 * rates.livenessDetection + 3 * rates.imageAnalysis),
  });
});

test('sums of rates have no binary rounding errors', () => {
  const noisy = { ...basic, quota: { ...basic.quota, productGroups: usage(0, 0) } };
  const rates = { ...basic.pricing, basePrice: 0, overage: usage(0.3, 0.1) };
  expect(monthlyCost({ ...noisy, pricing: rates }, usage(0, 3))).toMatchObject({ overage: 0.3 });
});

test('a plan without overage is too small over its quota, and a custom plan has no total', () => {
  const { livenessDetection, imageAnalysis } = free.quota.productGroups;
  expect(monthlyCost(free, usage(livenessDetection, imageAnalysis))).toMatchObject({ total: 0 });
  expect(monthlyCost(free, usage(livenessDetection + 1, 0))).toEqual({ kind: 'tooSmall' });
  expect(monthlyCost(enterprise, usage(1, 1))).toEqual({ kind: 'byAgreement' });
});

test('the cheapest plan is the one with the lowest total', () => {
  const cheapest = (livenessDetection: number, imageAnalysis: number) =>
    cheapestOf(plans.map((plan) => monthlyCost(plan, usage(livenessDetection, imageAnalysis)))).map(
      (position) => plans[position],
    );
  expect(cheapest(1, 1)).toEqual([free]);
  expect(cheapest(basic.quota.productGroups.livenessDetection, 1)).toEqual([basic]);
  expect(cheapest(business.quota.productGroups.livenessDetection * 10, 0)).toEqual([business]);
  expect(cheapestOf([{ kind: 'tooSmall' }, { kind: 'byAgreement' }])).toEqual([]);
});

test('plans with equal costs are both the cheapest', () => {
  const priced = (total: number) => ({ kind: 'priced' as const, base: total, overage: 0, total });
  expect(cheapestOf([priced(9), priced(4), { kind: 'tooSmall' }, priced(4)])).toEqual([1, 3]);
});
