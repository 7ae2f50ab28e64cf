import { monthlyCost } from './cost';
import { formatCount, formatMoney } from './money';
import type { Plan, QuotaError } from './plan';

/** Overage units of the worked example. */
const OVERAGE = 50;

/**
 * Numbers and names for the billing FAQ, from the contract.
 * @throws Error if the contract lacks a free, a recommended or a custom plan
 */
export function billingFacts(plans: readonly Plan[], quotaError: QuotaError) {
  const find = (what: string, is: (plan: Plan) => boolean) => {
    const plan = plans.find(is);
    if (!plan) throw new Error(`The contract has no plan that is ${what}.`);
    return plan;
  };
  const free = find('free', ({ isFree }) => isFree);
  const example = find('recommended', ({ display }) => display.recommended);
  const custom = find('made to measure', ({ pricing }) => pricing.isCustom);
  const { livenessDetection } = example.quota.productGroups;
  const cost = monthlyCost(example, { livenessDetection: livenessDetection + OVERAGE, imageAnalysis: 0 });
  if (cost.kind !== 'priced') throw new Error('The recommended plan has no overage price.');
  const money = (amount: number) => formatMoney(amount, example.pricing.currency);
  return {
    freePlan: free.displayName,
    freeLiveness: formatCount(free.quota.productGroups.livenessDetection),
    freeAnalyses: formatCount(free.quota.productGroups.imageAnalysis),
    quotaCode: quotaError.code,
    quotaStatus: quotaError.status,
    examplePlan: example.displayName,
    exampleLiveness: formatCount(livenessDetection + OVERAGE),
    exampleQuota: formatCount(livenessDetection),
    exampleExtra: OVERAGE,
    exampleRate: money(example.pricing.overage?.livenessDetection ?? 0),
    exampleOverage: money(cost.overage),
    exampleBase: money(cost.base),
    exampleTotal: money(cost.total),
    enterprisePlan: custom.displayName,
    enterpriseLiveness: formatCount(custom.quota.productGroups.livenessDetection),
  };
}
