/** Usage and cost of an account: the counters of a month under the terms that apply. */

import { OperatorError } from '../../errors';
import { type ProductId, productIds } from '../contract/products';
import { type Account, termsAt } from '../keys/accounts';
import type { KeyMode } from '../keys/api-key';
import { forEach, type ProductGroup, productGroups, type Terms, termsOf } from '../plans/terms';
import { isoTime } from '../timing/iso-time';
import { daysOf, endOf, monthOf, startOf } from './months';
import { type ProductCounters, totalOf, usedOf } from './products-used';

/** Counters of one month. */
export interface MonthCounters {
  readonly used: Readonly<Record<ProductGroup, number>>;
  readonly reserved: Readonly<Record<ProductGroup, number>>;
  /** Units of each day of the month, from the 1st. */
  readonly days: Readonly<Record<ProductGroup, readonly number[]>>;
  readonly products: Readonly<Record<ProductId, ProductCounters>>;
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
  readonly product: ProductId;
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
export const sumOf = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * micro), 0) / micro;

/** A past month is billed by the terms at its end, the current one by today's terms. */
export const termsIn = (account: Account, { month, now }: Pick<UsageOf, 'month' | 'now'>) =>
  termsAt(account, Math.min(endOf(month) - 1, now));

/** Units over the quota and their cost. Test keys stop at the quota and cost nothing. */
export function overageOf(
  { quota, overage }: Terms,
  mode: KeyMode,
  { group, used }: { group: ProductGroup; used: number },
) {
  const rate = overage && mode === 'live' ? overage[group] : undefined;
  const overageUnits = rate === undefined ? 0 : Math.max(0, used - quota[group]);
  return { overageUnits, overageCost: costOf(overageUnits, rate ?? 0) };
}

/** The `data` of `usage-response.json`. */
export function usageReport(account: Account, counters: MonthCounters, { mode, month, now }: UsageOf) {
  const { plan, overrides } = termsIn(account, { month, now });
  const terms = termsOf(plan, overrides);
  const groups = productGroups.map((group) => {
    const used = counters.used[group];
    const reserved = counters.reserved[group];
    const quota = terms.quota[group];
    const usage = { quota, used, reserved, remaining: Math.max(0, quota - used - reserved) };
    return { group, usage: { ...usage, ...overageOf(terms, mode, { group, used }) } };
  });
  return {
    plan,
    livemode: mode === 'live',
    mode,
    currency: 'USD' as const,
    period: { start: isoTime(startOf(month)), end: isoTime(endOf(month)) },
    productGroups: Object.fromEntries(groups.map(({ group, usage }) => [group, usage])),
    overageCost: sumOf(groups.map(({ usage }) => usage.overageCost)),
    daily: Array.from({ length: daysOf(month) }, (_, day) => ({
      date: `${month}-${String(day + 1).padStart(2, '0')}`,
      ...Object.fromEntries(productGroups.map((group) => [group, counters.days[group][day] ?? 0])),
    })),
  };
}

/** @throws OperatorError if the ledger of the month was trimmed, because the rest would look complete */
export async function requireLedger(
  store: Pick<UsageStore, 'trimmedBefore'>,
  accountId: string,
  month: string,
): Promise<void> {
  const whole = await store.trimmedBefore(accountId);
  if (whole === undefined || month >= whole) return;
  throw new OperatorError(`The ledger of ${month} was trimmed: it begins with ${whole}`, 'NOT_FOUND');
}

/**
 * Frees memory in the store, most of which the ledger takes. Counters, and therefore bills, do not change.
 * @throws OperatorError for a month that may still get entries
 */
export async function trimLedger(
  store: Pick<UsageStore, 'trimLedger'>,
  { accountId, before, now }: { accountId: string; before: string; now: number },
): Promise<{ before: string; removed: number }> {
  const current = monthOf(now);
  if (before > current)
    throw new OperatorError(
      `The ledger of ${current} is still written: trim what is before ${current} at most`,
    );
  return { before, removed: await store.trimLedger(accountId, before) };
}

/**
 * Whether a month's ledger adds up to its counters, of groups and of products by day. They are written together, so a
 * difference is a defect.
 * @throws OperatorError if the ledger of the month was trimmed
 */
export async function verifyMonth(
  store: UsageStore,
  { accountId, mode, month }: { accountId: string; mode: KeyMode; month: string },
) {
  await requireLedger(store, accountId, month);
  const ledger = forEach(productGroups, () => 0);
  const ledgerDays = forEach(productIds, () => Array.from({ length: daysOf(month) }, () => 0));
  const { used, products } = await store.readMonth(accountId, mode, month);
  for await (const { kind, mode: entryMode, group, product, day } of store.readLedger(accountId, month)) {
    if (kind !== 'commit' || entryMode !== mode) continue;
    ledger[group]++;
    const days = ledgerDays[product];
    days[day - 1] = (days[day - 1] ?? 0) + 1;
  }
  const matches =
    productGroups.every((group) => ledger[group] === used[group]) &&
    productIds.every((product) => addsUp(products[product], ledgerDays[product]));
  return {
    month,
    mode,
    matches,
    counters: used,
    ledger,
    products: {
      counters: forEach(productIds, (product) => usedOf(products[product])),
      ledger: forEach(productIds, (product) => totalOf(ledgerDays[product])),
    },
  };
}

function addsUp(product: ProductCounters, ledgerDays: readonly number[]): boolean {
  if (usedOf(product) !== totalOf(ledgerDays)) return false;
  return product.withoutDay > 0 || product.days.every((units, i) => units === ledgerDays[i]);
}
