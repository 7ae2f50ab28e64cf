/** Forecasts the usage of an account at the end of the month. */
import type { Account } from '../keys/accounts';
import { forEach, productGroups, termsOf } from '../plans/terms';
import { daysOf, monthOf } from './months';
import { totalOf } from './products-used';
import { type MonthCounters, overageOf, termsIn, type UsageOf } from './usage';

const meanOfDays = 7;

/**
 * The units that each group will have at the end of the month: those so far, and for each day that is left, the mean of the
 * last full days of the month, seven at most. Today counts as a day with that mean until it has more. `share` is the units
 * relative to the quota, null without a quota; an account that stops at its quota may have a share above 1.
 * @returns null for a month that is over, and on the 1st, which has no full day to go by
 */
export function forecastOf(account: Account, counters: MonthCounters, { mode, month, now }: UsageOf) {
  const today = new Date(now).getUTCDate();
  if (month !== monthOf(now) || today === 1) return null;
  const { plan, overrides } = termsIn(account, { month, now });
  const terms = termsOf(plan, overrides);
  return forEach(productGroups, (group) => {
    const days = counters.days[group];
    const full = days.slice(Math.max(0, today - 1 - meanOfDays), today - 1);
    const mean = totalOf(full) / full.length;
    const restOfToday = Math.max(0, mean - (days[today - 1] ?? 0));
    const units = Math.round(counters.used[group] + restOfToday + mean * (daysOf(month) - today));
    const quota = terms.quota[group];
    const share = quota === 0 ? null : Math.round((units / quota) * 1_000) / 1_000;
    return { units, share, ...overageOf(terms, mode, { group, used: units }) };
  });
}
