import type { AccountWithTerms } from '@presenza/contract/console/types.d.ts';
import { formatMoney } from '../../../../components/pricing/money';
import { fill } from '../../../../fill';
import { groups } from '../../state/account-data';
import { useAccount } from '../../state/context';
import { usePlanName, usePlans } from '../../state/plans';
import { useData } from '../../state/queries';
import { formatAmount } from '../billing/format-amount';
import { statusOf } from '../keys/key-data';
import type { Note } from './note';

const dayMs = 24 * 60 * 60 * 1_000;
/** Keys that end within this time need a successor. */
const soonMs = 14 * dayMs;
/** The share of a quota, in percent, from which the service alerts. */
const alertPercent = 80;
/** Failed deliveries that the page counts. */
const mostDeliveries = 100;

const localDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
/** Plans change at midnight in UTC. */
const utcDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** A plan that is requested or planned, and invoices that are due. */
export function useBillingNotes(account: AccountWithTerms | undefined): readonly Note[] {
  const { texts, account: membership, may } = useAccount();
  const { pending } = texts.home;
  const { prices } = texts.billing;
  const plans = usePlans();
  const name = usePlanName();
  const { data } = useData(
    '/accounts/{account}/invoices',
    { path: { account: membership.accountId } },
    { enabled: may('invoicesList') },
  );
  const priceOf = (plan: string) => {
    const pricing = plans.find(({ tier }) => tier === plan)?.pricing;
    if (!pricing || pricing.isCustom) return prices.custom;
    return fill(prices.month, { price: formatMoney(pricing.basePrice, pricing.currency) });
  };
  const { plannedPlan: planned, requestedPlan: requested } = account ?? {};
  const to = '/console/billing';
  const due = (data?.invoices ?? []).filter(({ status }) => status === 'due');
  return [
    ...(requested === undefined
      ? []
      : [
          {
            id: 'requested',
            text: fill(pending.requested.text, { plan: name(requested), price: priceOf(requested) }),
            action: pending.requested.action,
            to,
          },
        ]),
    ...(planned === undefined
      ? []
      : [
          {
            id: 'planned',
            text: fill(pending.planned.text, {
              plan: name(planned.plan),
              price: priceOf(planned.plan),
              date: utcDay.format(new Date(planned.takesEffect)),
            }),
            action: pending.planned.action,
            to,
          },
        ]),
    ...due.map(({ number, month, total, currency }) => ({
      id: number,
      text: fill(pending.invoice.text, { number, total: formatAmount(total, currency) }),
      action: pending.invoice.action,
      to: `/console/billing/invoices/${month}`,
    })),
  ];
}

/** Quotas that are nearly or wholly used. */
export function useQuotaNotes(account: AccountWithTerms | undefined): readonly Note[] {
  const { texts, account: membership } = useAccount();
  const { quota: text } = texts.home.pending;
  const { data } = useData('/accounts/{account}/usage', {
    path: { account: membership.accountId },
    query: { mode: 'live' },
  });
  if (!data || !account) return [];
  const stops = account.terms.overage === null;
  return groups.flatMap((group) => {
    const { used, quota, overageUnits: units, overageCost } = data.productGroups[group];
    const percent = quota === 0 ? 0 : Math.floor((100 * used) / quota);
    if (percent < alertPercent) return [];
    const values = { group: texts.usage.groups[group], percent, units };
    const isOver = units > 0;
    const cost = formatMoney(overageCost, data.currency);
    const sentence = isOver ? text.over : percent >= 100 && stops ? text.stops : text.text;
    return [
      { id: group, text: fill(sentence, { ...values, cost }), action: text.action, to: '/console/usage' },
    ];
  });
}

/** Endpoints that the service disabled, and events that did not arrive. */
export function useWebhookNotes(): readonly Note[] {
  const { texts, account, may } = useAccount();
  const { endpoint: disabledText, deliveries: text, removed } = texts.home.pending;
  const reasons = texts.webhooks.disabled;
  const path = { account: account.accountId };
  const { data: endpoints = [] } = useData(
    '/accounts/{account}/webhooks',
    { path },
    { enabled: may('webhooksList') },
  );
  const { data: letters } = useData(
    '/accounts/{account}/webhook-dead-letters',
    { path, query: { limit: mostDeliveries } },
    { enabled: may('webhooksDeadLetters') },
  );
  const hostOf = (webhookId: string) => {
    const url = endpoints.find((endpoint) => endpoint.webhookId === webhookId)?.url;
    return url === undefined ? removed : new URL(url).host;
  };
  const counts = new Map<string, number>();
  for (const { webhookId } of letters?.deliveries ?? []) {
    counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
  }
  const sentenceFor = (count: number) => {
    if (count === 1) return text.single;
    return letters?.next === undefined ? text.several : text.many;
  };
  return [
    // People who disable an endpoint themselves need no reminder.
    ...endpoints.flatMap(({ webhookId, disabledBecause }) =>
      disabledBecause === undefined || disabledBecause === 'operator'
        ? []
        : [
            {
              id: webhookId,
              text: fill(disabledText.text, { host: hostOf(webhookId), reason: reasons[disabledBecause] }),
              action: disabledText.action,
              to: `/console/webhooks/${webhookId}`,
            },
          ],
    ),
    ...[...counts]
      .filter(([webhookId]) => endpoints.some((endpoint) => endpoint.webhookId === webhookId))
      .map(([webhookId, count]) => ({
        id: `${webhookId} deliveries`,
        text: fill(sentenceFor(count), { count, host: hostOf(webhookId) }),
        action: text.action,
        to: `/console/webhooks/${webhookId}?state=dead`,
      })),
  ];
}

/** Keys that expire soon. Those that were rolled have a successor. */
export function useKeyNotes(): readonly Note[] {
  const { texts, account, may } = useAccount();
  const { key: text } = texts.home.pending;
  const { data: keys = [] } = useData(
    '/accounts/{account}/keys',
    { path: { account: account.accountId } },
    { enabled: may('keysList') },
  );
  const soon = Date.now() + soonMs;
  return keys.flatMap((key) => {
    const { keyId, name = keyId, expiresAt } = key;
    const ends = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
    if (statusOf(key) !== 'active' || ends > soon) return [];
    const date = localDay.format(new Date(ends));
    return [{ id: keyId, text: fill(text.text, { name, date }), action: text.action, to: '/console/keys' }];
  });
}
