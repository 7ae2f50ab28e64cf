/** Quotas, limits and prices of an account: those of its plan, with the operator's overrides. */
import plans from '@presenza/contract/plans.json';

/** A tier of `plans.json`. */
export type PlanTier = (typeof plans)[number]['tier'];

export const planTiers: readonly PlanTier[] = plans.map(({ tier }) => tier);

export const productGroups = ['livenessDetection', 'imageAnalysis'] as const;
/** Products that share a monthly quota. */
export type ProductGroup = (typeof productGroups)[number];

/** A value for each name, such as each product group. */
export const forEach = <K extends string, T>(names: readonly K[], valueFor: (name: K) => T) =>
  Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Record<K, T>;

export interface Terms {
  /** Units per month that the plan includes. */
  readonly quota: Readonly<Record<ProductGroup, number>>;
  /** USD per unit of overage; null if the quota is a hard limit. */
  readonly overage: Readonly<Record<ProductGroup, number>> | null;
  /** Operations at once, and the seconds after which the full limit is available again. */
  readonly burst: { readonly limit: number; readonly windowSeconds: number };
  /** Requests that may run at once, in all gateways. */
  readonly concurrency: number;
  /** Redis memory of all its liveness sessions, in bytes. */
  readonly sessionBytes: number;
}

/** The operator's values for one account, which replace those of its plan. */
export interface Overrides {
  readonly quota?: Partial<Record<ProductGroup, number>>;
  readonly overage?: Partial<Record<ProductGroup, number>>;
  readonly burst?: { readonly limit: number; readonly windowSeconds: number };
  readonly concurrency?: number;
  readonly sessionBytes?: number;
}

/** @throws Error if the plan does not exist */
export function termsOf(tier: PlanTier, overrides: Overrides = {}): Terms {
  const plan = plans.find((entry) => entry.tier === tier);
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
