/** Usage and cost of an account: the counters of a month under the terms that apply. */

import { Refusal } from '../../errors/refusal';
import { type Account, termsAt } from '../keys/accounts';
import type { KeyMode } from '../keys/api-key';
import { type ProductGroup, productGroups, termsOf } from '../plans/terms';
import { isoTime } from '../timing/iso-time';
import { daysOf, endOf, monthOf, startOf } from './months';

/** Counters of one month. */
export interface MonthCounters {
  readonly used: Readonly<Record<ProductGroup, number>>;
  readonly reserved: Readonly<Record<ProductGroup, number>>;
  /** By day of the month, from the 1st. */
  readonly days: Readonly<Record<ProductGroup, readonly number[]>>;
}

/** A billed unit, or the refund of a reservation. */
export interface LedgerEntry {
  /** Id of the entry, which begins with its time in milliseconds since 1970. */
  readonly id: string;
  /** `commit`: billed; `refund`: refunded after a failure; `expired`: refunded because the process was lost. */
  readonly kind: 'commit' | 'refund' | 'expired';
  readonly item: string;
  readonly mode: KeyMode;
  readonly month: string;
  readonly day: number;
  readonly group: ProductGroup;
  readonly product: string;
  readonly keyId: string;
}

/** The store that the service needs. */
export interface UsageStore {
  readMonth(accountId: string, mode: KeyMode, month: string): Promise<MonthCounters>;
  /** Oldest first, of all modes. */
  readLedger(accountId: string, month: string): AsyncIterable<LedgerEntry>;
  /** Removes the entries of earlier months, and records that. @returns the number of removed entries */
  trimLedger(accountId: string, before: string): Promise<number>;
  /** @returns the first month with a complete ledger; undefined if it was never trimmed */
  trimmedBefore(accountId: string): Promise<string | undefined>;
}

export interface UsageOf {
  readonly mode: KeyMode;
  /** `2026-11` */
  readonly month: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Rates have up to three decimals, so sums in millionths of a dollar are exact. */
const micro = 1_000_000;

const costOf = (units: number, rate: number) => (units * Math.round(rate * micro)) / micro;

/** The `data` of `usage-response.json`. */
export function usageReport(account: Account, counters: MonthCounters, { mode, month, now }: UsageOf) {
  // A past month is billed by the terms at its end, the current one by today's terms.
  const { plan, overrides } = termsAt(account, Math.min(endOf(month) - 1, now));
  const { quota, overage } = termsOf(plan, overrides);
  const groups = productGroups.map((group) => {
    const used = counters.used[group];
    const reserved = counters.reserved[group];
    // Test keys stop at the quota and cost nothing.
    const overageUnits = overage && mode === 'live' ? Math.max(0, used - quota[group]) : 0;
    return {
      group,
      usage: {
        quota: quota[group],
        used,
        reserved,
        remaining: Math.max(0, quota[group] - used - reserved),
        overageUnits,
        overageCost: costOf(overageUnits, overage?.[group] ?? 0),
      },
    };
  });
  const total = groups.reduce((sum, { usage }) => sum + Math.round(usage.overageCost * micro), 0);
  return {
    plan,
    livemode: mode === 'live',
    mode,
    currency: 'USD' as const,
    period: { start: isoTime(startOf(month)), end: isoTime(endOf(month)) },
    productGroups: Object.fromEntries(groups.map(({ group, usage }) => [group, usage])),
    overageCost: total / micro,
    daily: Array.from({ length: daysOf(month) }, (_, day) => ({
      date: `${month}-${String(day + 1).padStart(2, '0')}`,
      ...Object.fromEntries(productGroups.map((group) => [group, counters.days[group][day] ?? 0])),
    })),
  };
}

/** @throws Refusal if the ledger of the month was trimmed, because the rest would look complete */
export async function requireLedger(
  store: Pick<UsageStore, 'trimmedBefore'>,
  accountId: string,
  month: string,
): Promise<void> {
  const whole = await store.trimmedBefore(accountId);
  if (whole === undefined || month >= whole) return;
  throw new Refusal(`The ledger of ${month} was trimmed: it begins with ${whole}`, 'NOT_FOUND');
}

/**
 * Frees memory in the store, most of which the ledger takes. Counters, and therefore bills, do not change.
 * @throws Refusal for a month that may still get entries
 */
export async function trimLedger(
  store: Pick<UsageStore, 'trimLedger'>,
  { accountId, before, now }: { accountId: string; before: string; now: number },
): Promise<{ before: string; removed: number }> {
  const current = monthOf(now);
  if (before > current)
    throw new Refusal(`The ledger of ${current} is still written: trim what is before ${current} at most`);
  return { before, removed: await store.trimLedger(accountId, before) };
}

/**
 * Whether a month's ledger adds up to its counters. They are written together, so a difference is a defect.
 * @throws Refusal if the ledger of the month was trimmed
 */
export async function verifyMonth(
  store: UsageStore,
  { accountId, mode, month }: { accountId: string; mode: KeyMode; month: string },
) {
  await requireLedger(store, accountId, month);
  const ledger = Object.fromEntries(productGroups.map((group) => [group, 0])) as Record<ProductGroup, number>;
  const { used } = await store.readMonth(accountId, mode, month);
  for await (const entry of store.readLedger(accountId, month)) {
    if (entry.kind === 'commit' && entry.mode === mode) ledger[entry.group]++;
  }
  const matches = productGroups.every((group) => ledger[group] === used[group]);
  return { month, mode, matches, counters: used, ledger };
}
