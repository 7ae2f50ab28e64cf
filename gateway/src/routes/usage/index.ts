import catalogue from '@presenza/contract/errors.json';
import type { RequestHandler, Router } from 'express';
import { ApiError } from '../../errors';
import { queryOf } from '../../middleware/query';
import type { KeyService, Principal } from '../../services/keys/keys';
import { monthOf, shift } from '../../services/metering/months';
import { type UsageStore, usageReport } from '../../services/metering/usage';
import type { GuardServices } from '../guards';
import { mount } from '../route';

export interface UsageServices extends GuardServices {
  readonly usage: Pick<UsageStore, 'readMonth'>;
  readonly accounts: Pick<KeyService, 'findAccount'>;
  readonly now: () => number;
}

/** The ledger, which can prove the numbers, reaches back as far. */
const monthsBack = 12;

/** GET /usage: the account's usage, quotas and cost in this month or an earlier one. */
export function usageRoute(api: Router, services: UsageServices): void {
  const policy = { operation: 'usage', caller: 'key', counted: true } as const;
  mount(api, '/usage', [{ method: 'get', policy, handle: handler(services) }], services);
}

const handler =
  ({ usage, accounts, now }: UsageServices): RequestHandler =>
  async (req, res) => {
    const { accountId, mode } = res.locals.principal as Principal;
    const month = requestedMonth(queryOf(req).get('month'), monthOf(now()));
    const [account, counters] = await Promise.all([
      accounts.findAccount(accountId),
      usage.readMonth(accountId, mode, month),
    ]);
    const data = usageReport(account, counters, { mode, month, now: now() });
    res.json({ success: true, data, requestId: res.locals.requestId });
  };

function requestedMonth(month: string | null, thisMonth: string): string {
  if (month === null) return thisMonth;
  const wellFormed = /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month);
  // Months in this form sort as text.
  if (wellFormed && month <= thisMonth && month >= shift(thisMonth, -monthsBack)) return month;
  const expected = catalogue.INVALID_PARAMETERS.expectations.month
    .replace('{minimum}', shift(thisMonth, -monthsBack))
    .replace('{maximum}', thisMonth);
  throw new ApiError('INVALID_PARAMETERS', { reason: 'value', values: { field: 'month', expected } });
}
