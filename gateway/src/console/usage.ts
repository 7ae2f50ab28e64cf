/** Schemas of the responses about usage and invoices, by the name of their operation. */

import { productIds } from '../services/contract/products';
import { planTiers, productGroups } from '../services/plans/terms';
import { type Output, object } from './schema';

const units = { type: 'integer', minimum: 0 } as const;
const dollars = { type: 'number', minimum: 0 } as const;
const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const month = { type: 'string', pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$' } as const;
const mode = { type: 'string', enum: ['live', 'test'] } as const;
const plan = { type: 'string', enum: planTiers } as const;
const group = { type: 'string', enum: productGroups } as const;
const currency = { const: 'USD' } as const;

const forAll = (names: readonly string[], schema: Output) =>
  object(Object.fromEntries(names.map((name) => [name, schema])));
const list = (items: Output) => ({ type: 'array', items });
const orNull = (schema: Output) => ({ anyOf: [schema, { type: 'null' }] });

const period = object({ start: time, end: time });
const overage = { overageUnits: units, overageCost: dollars };
const status = { type: 'string', enum: ['due', 'stripe'] };
const number = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{6,}$' };

const usage = object({
  ...{ plan, livemode: { type: 'boolean' }, mode, currency, period, overageCost: dollars },
  productGroups: forAll(
    productGroups,
    object({ quota: units, used: units, reserved: units, remaining: units, ...overage }),
  ),
  daily: list(
    object({
      date: { type: 'string', format: 'date' },
      ...Object.fromEntries(productGroups.map((name) => [name, units])),
    }),
  ),
  products: {
    ...list(
      object({
        ...{ product: { type: 'string', enum: productIds }, group, used: units },
        daily: {
          ...orNull(list(units)),
          description: 'From the 1st of the month; null if the month began before the service counted days',
        },
      }),
    ),
  },
  forecast: {
    ...orNull(forAll(productGroups, object({ units, share: orNull(dollars), ...overage }))),
    description:
      'At the end of the month; null on the 1st and for other months. `share` is relative to the quota',
  },
});

const sums = object({
  ...{ month, mode, matches: { type: 'boolean' } },
  ...{ counters: forAll(productGroups, units), ledger: forAll(productGroups, units) },
  products: object({ counters: forAll(productIds, units), ledger: forAll(productIds, units) }),
});

const base = { kind: { const: 'base' }, quantity: units, unitPrice: dollars, amount: dollars };
const invoice = object({
  ...{ number, month, period, issuedAt: time, status, currency, plan, total: dollars },
  ...{ seller: orNull(text), customer: object({ accountId: text, name: text }) },
  lines: list({
    oneOf: [
      object(base),
      object({ ...base, kind: { const: 'overage' }, group, used: units, included: units }),
    ],
  }),
});

export const usageOutputs: Readonly<Record<string, Output>> = {
  'usage show': usage,
  'usage verify': sums,
  'invoices list': object({ invoices: list(object({ number, month, total: dollars, currency, status })) }),
  'invoices show': invoice,
};
