/** What an account may use and what it pays: its plan, with what the operator changed for it. */
import plans from '@presenza/contract/plans.json';

/** A tier of `plans.json`. */
export type PlanTier = (typeof plans)[number]['tier'];

export const planTiers: readonly PlanTier[] = plans.map(({ tier }) => tier);

export const productGroups = ['livenessDetection', 'imageAnalysis'] as const;
/** Products that share a monthly quota. */
export type ProductGroup = (typeof productGroups)[number];

export interface Terms {
  /** Units a month that the plan includes. */
  readonly quota: Readonly<Record<ProductGroup, number>>;
  /** USD for each unit beyond the quota; null where there are none: the quota is a hard limit. */
  readonly overage: Readonly<Record<ProductGroup, number>> | null;
  /** Operations that may come at once, and the seconds over which as many become free again. */
  readonly burst: { readonly limit: number; readonly windowSeconds: number };
  /** Requests that may run at once. */
  readonly concurrency: number;
  /** Bytes that its liveness sessions may hold together, as long as they are kept. */
  readonly sessionBytes: number;
}

/** What an operator set for one account in place of its plan's numbers. */
export interface Overrides {
  readonly quota?: Partial<Record<ProductGroup, number>>;
  readonly overage?: Partial<Record<ProductGroup, number>>;
  readonly burst?: { readonly limit: number; readonly windowSeconds: number };
  readonly concurrency?: number;
  readonly sessionBytes?: number;
}

/** @throws Error when there is no such plan */
export function termsOf(tier: PlanTier, overrides: Overrides = {}): Terms {
  const plan = plans.find((one) => one.tier === tier);
  if (!plan) throw new Error(`There is no plan ${tier}`);
  const { quota, pricing, limits } = plan;
  return {
    quota: { ...quota.productGroups, ...overrides.quota },
    overage: pricing.overage && { ...pricing.overage, ...overrides.overage },
    burst: overrides.burst ?? limits.burst,
    concurrency: overrides.concurrency ?? limits.concurrency,
    sessionBytes: overrides.sessionBytes ?? limits.sessionBytes,
  };
}
