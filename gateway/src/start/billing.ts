import type { AdminServices } from '../admin/operation';
import type { Config } from '../config';
import { Invoices } from '../services/billing/invoices';
import { PlanChanges } from '../services/billing/plan-changes';
import { type StripeAddress, stripeClient } from '../services/billing/stripe-client';
import { StripeEvents } from '../services/billing/stripe-events';
import { StripePayments, type StripePrices } from '../services/billing/stripe-payments';
import { UsageAlerts } from '../services/billing/usage-alerts';
import type { Identity } from '../services/identity/identity';
import { planTiers, productGroups } from '../services/plans/terms';
import { RedisAlerts } from '../stores/billing/redis-alerts';
import { RedisInvoices } from '../stores/billing/redis-invoices';
import { RedisStripe } from '../stores/billing/redis-stripe';
import type { RedisClient } from '../stores/redis';
import type { Job } from './background-jobs';

export type BillingConfig = Pick<
  Config,
  'SELF_SERVICE_PLANS' | 'INVOICE_SELLER' | 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_PRICES'
>;

export interface BillingParts {
  readonly admin: Pick<AdminServices, 'keys' | 'usage'>;
  /** Absent without a console: then nobody changes plans, and nobody gets mails. */
  readonly identity?: Identity;
  readonly now?: () => number;
  readonly stripe?: StripeAddress;
}

const [alertMs, invoiceMs, subscriptionMs] = [15_000, 5 * 60_000, 60 * 60_000];

export type Billing = ReturnType<typeof createBilling>;

/** The services of billing and their periodic jobs. */
export function createBilling(redis: RedisClient, config: BillingConfig, parts: BillingParts) {
  const { admin, identity, now = Date.now } = parts;
  const { keys: accounts, usage } = admin;
  const store = new RedisInvoices(redis);
  const stripe = identity && createStripe(redis, config, { ...parts, identity });
  const invoices = new Invoices({
    store,
    usage,
    accounts,
    now,
    seller: config.INVOICE_SELLER.replaceAll('\\n', '\n'),
    charge: stripe && ((account, invoice) => stripe.payments.charge(account, invoice)),
  });
  const alerts = identity && new UsageAlerts({ store: new RedisAlerts(redis), accounts, identity, now });
  const jobs: Job[] = [
    { name: 'invoices', everyMs: invoiceMs, run: (ms) => invoices.round(ms) },
    ...(alerts ? [{ name: 'usage alerts', everyMs: alertMs, run: (ms: number) => alerts.round(ms) }] : []),
    ...(stripe
      ? [{ name: 'subscriptions', everyMs: subscriptionMs, run: (ms: number) => stripe.payments.round(ms) }]
      : []),
  ];
  const selfService = config.SELF_SERVICE_PLANS === 'on';
  const plans = new PlanChanges({ accounts, selfService, payments: stripe?.payments, now });
  return { plans, jobs, payments: stripe?.payments, events: stripe?.events };
}

function createStripe(
  redis: RedisClient,
  config: BillingConfig,
  { admin: { keys: accounts }, identity, stripe }: BillingParts & { identity: Identity },
) {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_PRICES } = config;
  if (key === '' && secret === '' && STRIPE_PRICES === '') return undefined;
  const prices = pricesOf(config);
  const client = stripeClient(key, stripe);
  const store = new RedisStripe(redis);
  return {
    payments: new StripePayments({
      client,
      prices,
      links: identity.links,
      accounts,
      invoices: new RedisInvoices(redis),
      acquireLease: (ms) => store.acquireLease(ms),
    }),
    events: new StripeEvents({ client, secret, store, accounts, identity }),
  };
}

/** @throws Error that names the variable */
function pricesOf({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICES }: BillingConfig): StripePrices {
  for (const [name, value] of Object.entries({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICES }))
    if (value === '')
      throw new Error(`The environment variable ${name} must be set, as the others of Stripe`);
  const prices = Object.fromEntries(STRIPE_PRICES.split(',').map((pair) => pair.split(':')));
  const names: readonly string[] = [...planTiers, ...productGroups];
  const unknown = Object.keys(prices).find((name) => !names.includes(name));
  const missing = productGroups.find((group) => !(group in prices));
  if (unknown === undefined && missing === undefined) return prices as StripePrices;
  const fault = unknown === undefined ? `lacks ${missing}` : `has ${unknown}, which is no plan and no group`;
  throw new Error(`The environment variable STRIPE_PRICES ${fault}`);
}
