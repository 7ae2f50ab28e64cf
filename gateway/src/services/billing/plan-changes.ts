/**
 * Changes of the plan that members of an account make. A higher plan takes effect once it is paid, now where plans are
 * self-service, or once the operator sets it. A lower plan takes effect on the first of the next month, which bills the
 * current month by the higher one.
 */
import plans from '@presenza/contract/plans.json';
import { ConsoleError } from '../../errors';
import type { Account } from '../keys/accounts';
import type { KeyService } from '../keys/keys';
import { endOf, monthOf } from '../metering/months';
import { type PlanTier, planTiers } from '../plans/terms';
import { isoTime } from '../timing/iso-time';

/** A plan that takes effect, that was requested of the operator, or that is to be paid at this address first. */
export type PlanChange =
  | { readonly plan: PlanTier; readonly takesEffect: string }
  | { readonly requested: PlanTier }
  | { readonly checkoutUrl: string };

export interface Payments {
  /** @returns the page that takes the first payment; undefined if the running subscription now has the plan */
  upgrade(account: Account, plan: PlanTier): Promise<string | undefined>;
}

export interface PlanChangeServices {
  readonly accounts: Pick<KeyService, 'findAccount' | 'updateAccount'>;
  /** Whether a higher plan takes effect without a payment and without the operator. */
  readonly selfService: boolean;
  readonly payments?: Payments | undefined;
  readonly now: () => number;
}

/** Plans whose price sales sets with the customer. */
const isCustom = (tier: PlanTier) => plans.some((plan) => plan.tier === tier && plan.pricing.isCustom);
const rank = (plan: PlanTier) => planTiers.indexOf(plan);

export class PlanChanges {
  constructor(private readonly services: PlanChangeServices) {}

  /** @throws ConsoleError SAME_PLAN, CONTACT_SALES */
  async change(accountId: string, plan: PlanTier): Promise<PlanChange> {
    const { accounts, now } = this.services;
    const account = await accounts.findAccount(accountId);
    if (plan === account.plan) throw new ConsoleError('SAME_PLAN');
    if (isCustom(plan) || isCustom(account.plan)) throw new ConsoleError('CONTACT_SALES');
    if (rank(plan) > rank(account.plan)) return this.raise(account, plan);
    const at = endOf(monthOf(now()));
    await accounts.updateAccount(accountId, { plannedPlan: { plan, at }, requestedPlan: null });
    return { plan, takesEffect: isoTime(at) };
  }

  /** Keeps the current plan. */
  async withdraw(accountId: string): Promise<{ readonly plan: PlanTier }> {
    const { plan } = await this.services.accounts.updateAccount(accountId, {
      plannedPlan: null,
      requestedPlan: null,
    });
    return { plan };
  }

  private async raise(account: Account, plan: PlanTier): Promise<PlanChange> {
    const { accounts, selfService, payments } = this.services;
    if (payments) {
      const checkoutUrl = await payments.upgrade(account, plan);
      if (checkoutUrl !== undefined) return { checkoutUrl };
    } else if (!selfService) {
      await accounts.updateAccount(account.id, { requestedPlan: plan, plannedPlan: null });
      return { requested: plan };
    }
    await accounts.updateAccount(account.id, { plan });
    return { plan, takesEffect: 'now' };
  }
}
