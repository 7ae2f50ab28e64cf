/** Events of Stripe about payments. Each is verified by its signature and processed once. */
import { ConsoleError, undefinedIfNotFound } from '../../errors';
import type { Identity } from '../identity/identity';
import { mailOf } from '../identity/mail';
import type { KeyService } from '../keys/keys';
import { endOf, monthOf } from '../metering/months';
import { type PlanTier, planTiers } from '../plans/terms';
import { mailPayers } from './payers';
import type { StripeClient } from './stripe-client';

type StripeEvent = ReturnType<StripeClient['webhooks']['constructEvent']>;
type ObjectOf<T extends StripeEvent['type']> = Extract<StripeEvent, { type: T }>['data']['object'];

export interface StripeEventStore {
  /** Records an event. @returns false if it is recorded already */
  claimEvent(eventId: string): Promise<boolean>;
  /** Forgets an event that could not be processed, so that Stripe's next attempt counts. */
  releaseEvent(eventId: string): Promise<void>;
}

export interface StripeEventServices {
  readonly client: () => Promise<StripeClient>;
  /** Signs the events. */
  readonly secret: string;
  readonly store: StripeEventStore;
  readonly accounts: Pick<KeyService, 'findAccount' | 'updateAccount'>;
  readonly identity: Identity;
}

const freePlan: PlanTier = 'free';

export class StripeEvents {
  constructor(private readonly services: StripeEventServices) {}

  /** @throws ConsoleError SIGNATURE_REFUSED; OperatorError if the account does not exist */
  async receive(body: Buffer, signature: string): Promise<void> {
    const { client, secret, store } = this.services;
    const { webhooks } = await client();
    const event = await webhooks.constructEventAsync(body, signature, secret).catch(() => {
      throw new ConsoleError('SIGNATURE_REFUSED');
    });
    if (!(await store.claimEvent(event.id))) return;
    try {
      await this.process(event);
    } catch (error) {
      await store.releaseEvent(event.id);
      throw error;
    }
  }

  private async process(event: StripeEvent): Promise<void> {
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
        return this.paid(event.data.object);
      case 'customer.subscription.deleted':
        return this.ended(event.data.object);
      case 'invoice.payment_failed':
        return this.failed(event.data.object);
    }
  }

  private async paid({
    metadata,
    customer,
    subscription,
    payment_status,
  }: ObjectOf<'checkout.session.completed'>) {
    const { accounts, client } = this.services;
    const { accountId, plan } = metadata ?? {};
    // Sessions of other products, and methods of payment that take days.
    if (!accountId || !isPlan(plan) || payment_status === 'unpaid') return;
    const [customerId, subscriptionId] = [idOf(customer), idOf(subscription)];
    if (customerId === undefined || subscriptionId === undefined) return;
    const { payment } = await accounts.findAccount(accountId);
    await accounts.updateAccount(accountId, { plan, payment: { customerId, subscriptionId, plan } });
    const earlier = payment?.subscriptionId;
    // Somebody paid in two tabs.
    if (earlier !== undefined && earlier !== subscriptionId)
      await (await client()).subscriptions.cancel(earlier, { invoice_now: true, prorate: true });
  }

  /** The month is paid, so the plan stays until its end. */
  private async ended({ id, metadata }: ObjectOf<'customer.subscription.deleted'>): Promise<void> {
    const { accounts, identity } = this.services;
    const { accountId } = metadata;
    if (!accountId) return;
    const account = await accounts.findAccount(accountId).catch(undefinedIfNotFound);
    if (account?.payment?.subscriptionId !== id) return;
    const { payment, plan } = account;
    const { customerId } = payment;
    const at = endOf(monthOf(identity.now()));
    const planned = plan === freePlan ? null : { plan: freePlan, at };
    await accounts.updateAccount(accountId, { payment: { customerId }, plannedPlan: planned });
  }

  private async failed({ parent }: ObjectOf<'invoice.payment_failed'>): Promise<void> {
    const { accounts, identity } = this.services;
    const accountId = parent?.subscription_details?.metadata?.accountId;
    if (!accountId) return;
    const account = await accounts.findAccount(accountId).catch(undefinedIfNotFound);
    if (!account) return;
    const { name } = account;
    await mailPayers(identity, accountId, (email) =>
      mailOf('paymentFailed', email, { account: name, link: identity.links.billing }),
    );
  }
}

const isPlan = (plan: string | undefined): plan is PlanTier => planTiers.includes(plan as PlanTier);
const idOf = (reference: string | { readonly id: string } | null): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;
