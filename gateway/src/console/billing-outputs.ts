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
export const plan = oneOf(planTiers);
const group = oneOf(productGroups);
const forAll = (names: readonly string[], schema: Output) =>
  object(Object.fromEntries(names.map((name) => [name, schema])));

const period = object({ start: time, end: time });
const overage = { overageUnits: count, overageCost: dollars };
const groupUsage = object({ quota: count, used: count, reserved: count, remaining: count, ...overage });
const productUsage = object({
  product: oneOf(productIds),
  group,
  used: count,
  daily: {
    ...orNull(listOf(count)),
    description: 'From the 1st of the month; null if the month began before the service counted days',
  },
});
const forecast = object({
  units: { ...count, description: 'Expected at the end of the month' },
  share: { ...orNull(dollars), description: 'Relative to the quota; null without a quota' },
  ...overage,
});

const usage = object({
  plan,
  livemode: boolean,
  mode,
  currency,
  period,
  overageCost: dollars,
  productGroups: forAll(productGroups, groupUsage),
  daily: listOf(
    object({
      date: { ...string, format: 'date' },
      ...Object.fromEntries(productGroups.map((name) => [name, count])),
    }),
  ),
  products: listOf(productUsage),
  forecast: {
    ...orNull(forAll(productGroups, forecast)),
    description: 'At the end of the month; null on the 1st and for other months',
  },
});

const sums = object({
  month,
  mode,
  matches: boolean,
  counters: forAll(productGroups, count),
  ledger: forAll(productGroups, count),
  products: object({ counters: forAll(productIds, count), ledger: forAll(productIds, count) }),
});

const summaryFields = {
  number: { ...string, pattern: '^\\d{4}-\\d{2}-\\d{6,}$' },
  month,
  total: dollars,
  currency,
  status: {
    ...oneOf(['due', 'stripe']),
    description: 'due: to be paid to the seller; stripe: charged by Stripe',
  },
};
const summary = object(summaryFields);
const base = { kind: { const: 'base' }, quantity: count, unitPrice: dollars, amount: dollars };
const line = {
  oneOf: [object(base), object({ ...base, kind: { const: 'overage' }, group, used: count, included: count })],
};
const invoice = object({
  ...summaryFields,
  period,
  issuedAt: time,
  plan,
  lines: listOf(line),
  seller: {
    ...orNull(string),
    description: 'Name, address and tax number of the operator, with line breaks',
  },
  customer: object({ accountId: string, name: string }),
});
const planChange = {
  oneOf: [
    object({ plan, takesEffect: { anyOf: [{ const: 'now' }, time] } }),
    object({ requested: plan }),
    object({ checkoutUrl: url }),
  ],
};

/** The schemas that have a name in the description, and so a type in clients. */
export const billingComponents: Readonly<Record<string, Output>> = {
  AccountUsage: usage,
  Forecast: forecast,
  GroupUsage: groupUsage,
  Invoice: invoice,
  InvoiceLine: line,
  InvoiceSummary: summary,
  Plan: plan,
  PlanChange: planChange,
  ProductGroup: group,
  ProductUsage: productUsage,
  UsageVerification: sums,
};

export const billingOutputs: Readonly<Record<string, Output>> = {
  'usage show': usage,
  'usage verify': sums,
  'invoices list': object({ invoices: listOf(summary) }),
  'invoices show': invoice,
  'plan change': planChange,
  'plan keep': object({ plan }),
  'billing portal': object({ url }),
};
