/** The cost of a month: the plan's price plus overage. */
import type { Plan, Units } from './plan';

export type Cost =
  | { kind: 'priced'; base: number; overage: number; total: number }
  /** The plan rejects requests over its quota. */
  | { kind: 'tooSmall' }
  | { kind: 'byAgreement' };

type Terms = Pick<Plan, 'quota' | 'pricing'>;

export function monthlyCost({ quota, pricing }: Terms, usage: Units): Cost {
  if (pricing.isCustom) return { kind: 'byAgreement' };
  const excess = {
    livenessDetection: Math.max(0, usage.livenessDetection - quota.productGroups.livenessDetection),
    imageAnalysis: Math.max(0, usage.imageAnalysis - quota.productGroups.imageAnalysis),
  };
  if (!pricing.overage && (excess.livenessDetection || excess.imageAnalysis)) return { kind: 'tooSmall' };
  const rates = pricing.overage ?? { livenessDetection: 0, imageAnalysis: 0 };
  const overage = round(
    excess.livenessDetection * rates.livenessDetection + excess.imageAnalysis * rates.imageAnalysis,
  );
  return { kind: 'priced', base: pricing.basePrice, overage, total: round(pricing.basePrice + overage) };
}

/** The positions of all plans with the lowest total; empty if no plan has a total. */
export function cheapestOf(costs: readonly Cost[]): number[] {
  const lowest = Math.min(...costs.flatMap((cost) => (cost.kind === 'priced' ? [cost.total] : [])));
  return costs.flatMap((cost, position) =>
    cost.kind === 'priced' && cost.total === lowest ? [position] : [],
  );
}

/** Rounds to tenths of a cent, the finest rate, to remove binary rounding errors. */
const round = (amount: number) => Math.round(amount * 1000) / 1000;
