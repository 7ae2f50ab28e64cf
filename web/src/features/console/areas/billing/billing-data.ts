/** Plans, invoices and money as the pages about billing show them. */
import type { Group } from '../../account-data';
import { usePlans } from '../../plans';

export interface InvoiceSummary {
  readonly number: string;
  readonly month: string;
  readonly total: number;
  readonly currency: string;
  /** `due`: to be paid to the seller; `stripe`: charged by Stripe. */
  readonly status: 'due' | 'stripe';
}

export interface InvoiceLine {
  readonly kind: 'base' | 'overage';
  readonly group?: Group;
  readonly used?: number;
  readonly included?: number;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly amount: number;
}

export interface Invoice extends InvoiceSummary {
  readonly period: { readonly start: string; readonly end: string };
  readonly issuedAt: string;
  /** Name, address and tax number of the operator, with line breaks. */
  readonly seller: string | null;
  readonly customer: { readonly accountId: string; readonly name: string };
  readonly plan: string;
  readonly lines: readonly InvoiceLine[];
}

/** The result of a change of plan. */
export type PlanChange =
  | { readonly plan: string; readonly takesEffect: string }
  | { readonly requested: string }
  | { readonly checkoutUrl: string };

/** The name of a plan by its tier. */
export function usePlanName(): (tier: string) => string {
  const plans = usePlans();
  return (tier) => plans.find((plan) => plan.tier === tier)?.displayName ?? tier;
}

/** Amounts of invoices: always with cents, and rates with tenths of a cent. */
export const formatAmount = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    ...{ style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 3 },
  }).format(amount);
