/** What a month costs: the plan's price, and units beyond its quota times the rate. */
import type { Plan, Units } from './plan';

export type Cost =
  | { kind: 'priced'; base: number; overage: number; total: number }
  /** The plan refuses what goes beyond its quota. */
  | { kind: 'tooSmall' }
  | { kind: 'byAgreement' };

type Terms = Pick<Plan, 'quota' | 'pricing'>;

export function monthlyCost({ quota, pricing }: Terms, usage: Units): Cost {
  if (pricing.isCustom) return { kind: 'byAgreement' };
  const beyond = {
    livenessDetection: Math.max(0, usage.livenessDetection - quota.productGroups.livenessDetection),
    imageAnalysis: Math.max(0, usage.imageAnalysis - quota.productGroups.imageAnalysis),
  };
  if (!pricing.overage && (beyond.livenessDetection || beyond.imageAnalysis)) return { kind: 'tooSmall' };
  const rates = pricing.overage ?? { livenessDetection: 0, imageAnalysis: 0 };
  const overage = round(
    beyond.livenessDetection * rates.livenessDetection + beyond.imageAnalysis * rates.imageAnalysis,
  );
  return { kind: 'priced', base: pricing.basePrice, overage, total: round(pricing.basePrice + overage) };
}

/** The positions of all that have the lowest total; none where no plan has a price for so much. */
export function cheapestOf(costs: readonly Cost[]): number[] {
  const lowest = Math.min(...costs.flatMap((cost) => (cost.kind === 'priced' ? [cost.total] : [])));
  return costs.flatMap((cost, position) =>
    cost.kind === 'priced' && cost.total === lowest ? [position] : [],
  );
}

/** Tenths of a cent: rates have no finer ones, and sums of them none of the noise of binary fractions. */
const round = (amount: number) => Math.round(amount * 1000) / 1000;
