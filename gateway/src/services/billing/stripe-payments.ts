/**
 * Payments through Stripe. A subscription has the monthly price of the plan and, for each product group, a metered price
 * of a thousandth of a dollar: the service reports the overage of each invoice as an amount, so that Stripe charges what
 * the invoice says whatever plan the account has by then.
 */
import brand from '@presenza/contract/brand.json';
import { forEach } from '../../async/for-each';
import { ConsoleError } from '../../errors';
import type { Links } from '../identity/identity';
import type { Account } from '../keys/accounts';
import type { KeyService } from '../keys/keys';
import { monthOf } from '../metering/months';
import { type PlanTier, type ProductGroup, productGroups } from '../plans/terms';
import { accountsAtOnce, everyAccount } from './every-account';
import type { Invoice, InvoiceStore } from './invoices';
import type { Payments } from './plan-changes';
import type { StripeClient } from './stripe-client';

/** Ids of prices at Stripe: the monthly one of each plan, and the metered one of each product group. */
export type StripePrices = Readonly<Partial<Record<PlanTier, string>>> &
  Readonly<Record<ProductGroup, string>>;

export interface StripeServices {
  readonly client: () => Promise<StripeClient>;
  readonly prices: StripePrices;
  readonly links: Pick<Links, 'billing'>;
  readonly accounts: Pick<KeyService, 'findAccount' | 'updateAccount' | 'listAccounts'>;
  readonly invoices: Pick<InvoiceStore, 'closedMonth'>;
  /** @returns whether this process may update subscriptions now; another process may hold the lease */
  acquireLease(ms: number): Promise<boolean>;
}

/** The name of the meter at Stripe that a product group's price refers to. */
export const meterOf = (group: ProductGroup): string => `${brand.slug}_${group}`;

export class StripePayments implements Payments {
  constructor(private readonly services: StripeServices) {}

  async upgrade(account: Account, plan: PlanTier): Promise<string | undefined> {
    const { client, prices, links, accounts } = this.services;
    const base = prices[plan];
    if (base === undefined) throw new ConsoleError('CONTACT_SALES');
    const stripe = await client();
    const { payment } = account;
    if (payment?.subscriptionId !== undefined) {
      await this.replacePrice(payment.subscriptionId, base);
      await accounts.updateAccount(account.id, { payment: { ...payment, plan } });
      return undefined;
    }
    const metadata = { accountId: account.id, plan };
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      client_reference_id: account.id,
      metadata,
      subscription_data: { metadata },
      line_items: [{ price: base, quantity: 1 }, ...productGroups.map((group) => ({ price: prices[group] }))],
      success_url: links.billing,
      cancel_url: links.billing,
      ...(payment && { customer: payment.customerId }),
    });
    return session.url ?? links.billing;
  }

  /** The page of Stripe where a customer changes the payment method. @throws ConsoleError NO_PAYMENTS */
  async portal({ payment }: Account): Promise<string> {
    if (!payment) throw new ConsoleError('NO_PAYMENTS');
    const { client, links } = this.services;
    const { url } = await (await client()).billingPortal.sessions.create({
      customer: payment.customerId,
      return_url: links.billing,
    });
    // The console promises a URI in the sense of RFC 3986.
    return new URL(url).href;
  }

  /** Reports the overage of an invoice. Stripe ignores an identifier that it knows. */
  async charge({ id, payment }: Account, { month, lines }: Invoice): Promise<void> {
    if (!payment) return;
    const stripe = await this.services.client();
    for (const { group, amount } of lines) {
      if (!group || amount === 0) continue;
      await stripe.billing.meterEvents.create({
        event_name: meterOf(group),
        identifier: `${id}_${month}_${group}`,
        payload: { stripe_customer_id: payment.customerId, value: String(Math.round(amount * 1_000)) },
      });
    }
  }

  /** Ends the subscription of an account, with a last invoice by Stripe for what it has and has not used. */
  async end({ payment }: Account): Promise<void> {
    if (payment?.subscriptionId === undefined) return;
    const { subscriptions } = await this.services.client();
    await subscriptions.cancel(payment.subscriptionId, { invoice_now: true, prorate: true });
  }

  /** Brings the subscriptions in line with plans that took effect, such as a lower one on the first of a month. */
  async round(everyMs: number): Promise<void> {
    const { accounts, acquireLease } = this.services;
    if (!(await acquireLease(everyMs))) return;
    await forEach(everyAccount(accounts), accountsAtOnce, (account) => this.adjust(account));
  }

  private async adjust(account: Account): Promise<void> {
    const { prices, accounts, invoices } = this.services;
    const { id, plan, payment, earlierTerms } = account;
    if (!payment?.subscriptionId) return;
    const base = prices[plan];
    const since = earlierTerms?.at(-1)?.until ?? account.createdAt;
    if (payment.plan !== plan) {
      await this.replacePrice(payment.subscriptionId, base, since);
      await accounts.updateAccount(id, { payment: { ...payment, plan } });
    }
    // The subscription ends once Stripe has the overage of its last month.
    if (base !== undefined || ((await invoices.closedMonth()) ?? '') < monthOf(since - 1)) return;
    await this.end(account);
    await accounts.updateAccount(id, { payment: { customerId: payment.customerId } });
  }

  /**
   * Replaces the monthly price of a subscription; without a new one, only the metered prices are left.
   * @param since when the new price began, in milliseconds since 1970. Default: now
   */
  private async replacePrice(
    subscriptionId: string,
    price: string | undefined,
    since?: number,
  ): Promise<void> {
    const { client, prices } = this.services;
    const { subscriptions } = await client();
    const { items } = await subscriptions.retrieve(subscriptionId);
    const metered = productGroups.map((group) => prices[group]);
    const base = items.data.find((item) => !metered.includes(item.price.id));
    if (base?.price.id === price) return;
    const id = base && { id: base.id };
    await subscriptions.update(subscriptionId, {
      items: [price === undefined ? { ...id, deleted: true } : { ...id, price, quantity: 1 }],
      proration_behavior: 'create_prorations',
      // Stripe accepts no time before the running period.
      ...(since !== undefined &&
        base && { proration_date: Math.max(Math.floor(since / 1_000), base.current_period_start) }),
    });
  }
}
