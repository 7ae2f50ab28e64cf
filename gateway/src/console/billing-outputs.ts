/** The data of responses about usage, invoices and plans, by the name of the call. */
import { productIds } from '../services/contract/products';
import { planTiers, productGroups } from '../services/plans/terms';
import {
  boolean,
  contract,
  count,
  listOf,
  number,
  type Output,
  object,
  oneOf,
  orNull,
  string,
  time,
} from './schema';

const dollars: Output = { ...number, minimum: 0 };
const month: Output = { ...string, pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$' };
const url: Output = { ...string, format: 'uri' };
const currency: Output = { const: 'USD' };
const mode = contract('key-mode');
const plan = oneOf(planTiers);
const group = oneOf(productGroups);
const forAll = (names: readonly string[], schema: Output) =>
  object(Object.fromEntries(names.map((name) => [name, schema])));

const period = object({ start: time, end: time });
const overage = { overageUnits: count, overageCost: dollars };

const usage = object({
  ...{ plan, livemode: boolean, mode, currency, period, overageCost: dollars },
  productGroups: forAll(
    productGroups,
    object({ quota: count, used: count, reserved: count, remaining: count, ...overage }),
  ),
  daily: listOf(
    object({
      date: { ...string, format: 'date' },
      ...Object.fromEntries(productGroups.map((name) => [name, count])),
    }),
  ),
  products: listOf(
    object({
      ...{ product: oneOf(productIds), group, used: count },
      daily: {
        ...orNull(listOf(count)),
        description: 'From the 1st of the month; null if the month began before the service counted days',
      },
    }),
  ),
  forecast: {
    ...orNull(forAll(productGroups, object({ units: count, share: orNull(dollars), ...overage }))),
    description:
      'At the end of the month; null on the 1st and for other months. `share` is relative to the quota',
  },
});

const sums = object({
  ...{ month, mode, matches: boolean },
  ...{ counters: forAll(productGroups, count), ledger: forAll(productGroups, count) },
  products: object({ counters: forAll(productIds, count), ledger: forAll(productIds, count) }),
});

const invoice = {
  number: { ...string, pattern: '^\\d{4}-\\d{2}-\\d{6,}$' },
  ...{ month, total: dollars, currency, status: oneOf(['due', 'stripe']) },
};
const base = { kind: { const: 'base' }, quantity: count, unitPrice: dollars, amount: dollars };
const lines = listOf({
  oneOf: [object(base), object({ ...base, kind: { const: 'overage' }, group, used: count, included: count })],
});

export const billingOutputs: Readonly<Record<string, Output>> = {
  'usage show': usage,
  'usage verify': sums,
  'invoices list': object({ invoices: listOf(object(invoice)) }),
  'invoices show': object({
    ...{ ...invoice, period, issuedAt: time, plan, lines, seller: orNull(string) },
    customer: object({ accountId: string, name: string }),
  }),
  'plan change': {
    oneOf: [
      object({ plan, takesEffect: { anyOf: [{ const: 'now' }, time] } }),
      object({ requested: plan }),
      object({ checkoutUrl: url }),
    ],
  },
  'plan keep': object({ plan }),
  'billing portal': object({ url }),
};
