import catalogue from '@presenza/contract/errors.json';
import type { RequestHandler, Router } from 'express';
import { AppError } from '../../errors';
import { methodNotAllowed } from '../../middleware/errors';
import { operation } from '../../middleware/observe';
import { rateOf, refuseEarly } from '../../middleware/rate';
import type { KeyService, Principal } from '../../services/keys/keys';
import type { Metering } from '../../services/metering/metering';
import { monthOf, shift } from '../../services/metering/months';
import { type UsageStore, usageReport } from '../../services/metering/usage';

export interface UsageServices {
  readonly authenticated: RequestHandler;
  readonly metering: Metering;
  readonly usage: Pick<UsageStore, 'readMonth'>;
  readonly accounts: Pick<KeyService, 'findAccount'>;
  readonly now: () => number;
}

/** As far back as the ledger reaches, which could prove the numbers. */
const monthsBack = 12;

/** GET /usage: what the account used of its quotas in this month or an earlier one, and what it costs. */
export function usageRoute(
  api: Router,
  { authenticated, metering, usage, accounts, now }: UsageServices,
): void {
  api
    .route('/usage')
    .all(operation('usage'))
    .get(authenticated, refuseEarly(metering), async (req, res) => {
      const { accountId, mode } = res.locals.principal as Principal;
      const thisMonth = monthOf(now());
      const month = monthAsked(req.query.month, thisMonth);
      await metering.count(res.locals.principal as Principal, 1, rateOf(res));
      const [account, counters] = await Promise.all([
        accounts.findAccount(accountId),
        usage.readMonth(accountId, mode, month),
      ]);
      const data = usageReport(account, counters, { mode, month, now: now() });
      res.json({ success: true, data, requestId: res.locals.requestId });
    })
    .all(methodNotAllowed('GET, HEAD'));
}

function monthAsked(month: unknown, thisMonth: string): string {
  if (month === undefined) return thisMonth;
  const wellFormed = typeof month === 'string' && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month);
  // Months are written so that they sort as text.
  if (wellFormed && month <= thisMonth && month >= shift(thisMonth, -monthsBack)) return month;
  const expected = catalogue.INVALID_PARAMETERS.expectations.month
    .replace('{minimum}', shift(thisMonth, -monthsBack))
    .replace('{maximum}', thisMonth);
  throw new AppError('INVALID_PARAMETERS', { reason: 'value', values: { field: 'month', expected } });
}
