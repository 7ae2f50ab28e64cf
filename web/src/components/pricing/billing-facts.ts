import { monthlyCost } from './cost';
import { formatCount, formatMoney } from './money';
import type { Plan } from './plan';

/** Units beyond the quota in the worked example. */
const BEYOND = 50;

/**
 * Numbers and names for the answers about billing, from the contract.
 * @throws Error where it has no plan that is free, none that is recommended or none by agreement
 */
export function billingFacts(plans: Plan[], quotaError: { code: string; status: number }) {
  const find = (what: string, is: (plan: Plan) => boolean) => {
    const plan = plans.find(is);
    if (!plan) throw new Error(`The contract has no plan that is ${what}.`);
    return plan;
  };
  const free = find('free', ({ isFree }) => isFree);
  const example = find('recommended', ({ display }) => display.recommended);
  const custom = find('made to measure', ({ pricing }) => pricing.isCustom);
  const { livenessDetection } = example.quota.productGroups;
  const cost = monthlyCost(example, { livenessDetection: livenessDetection + BEYOND, imageAnalysis: 0 });
  if (cost.kind !== 'priced') throw new Error('The recommended plan has no price beyond its quota.');
  const money = (amount: number) => formatMoney(amount, example.pricing.currency);
  return {
    freePlan: free.displayName,
    freeLiveness: formatCount(free.quota.productGroups.livenessDetection),
    freeAnalyses: formatCount(free.quota.productGroups.imageAnalysis),
    quotaCode: quotaError.code,
    quotaStatus: quotaError.status,
    examplePlan: example.displayName,
    exampleLiveness: formatCount(livenessDetection + BEYOND),
    exampleQuota: formatCount(livenessDetection),
    exampleBeyond: BEYOND,
    exampleRate: money(example.pricing.overage?.livenessDetection ?? 0),
    exampleOverage: money(cost.overage),
    exampleBase: money(cost.base),
    exampleTotal: money(cost.total),
    enterprisePlan: custom.displayName,
    enterpriseLiveness: formatCount(custom.quota.productGroups.livenessDetection),
  };
}
