/** Calls about the plan of an account and its payment. */
import { account, type Property } from '../admin/operation';
import { ConsoleError } from '../errors';
import { type PlanTier, planTiers } from '../services/plans/terms';
import { rolesThat } from '../services/rights/property-grants';
import { type Call, call } from './call';
import { payers } from './grants';

const plan: Property = { type: 'string', enum: planTiers, description: 'Plan' };

export const billingCalls: readonly Call[] = [
  call<{ account: string; plan: PlanTier }>()({
    id: 'plan change',
    summary: 'Changes the plan: a higher one once it is paid or approved, a lower one from the next month',
    http: ['POST', '/accounts/:account/plan'],
    access: rolesThat('set', 'account', 'requestedPlan'),
    properties: { account, plan },
    run: async ({ billing }, { account, plan }) => ({ data: await billing.plans.change(account, plan) }),
  }),
  call<{ account: string }>()({
    id: 'plan keep',
    summary: 'Withdraws a requested or planned change of the plan',
    http: ['DELETE', '/accounts/:account/plan'],
    access: rolesThat('set', 'account', 'plannedPlan'),
    properties: { account },
    run: async ({ billing }, { account }) => ({ data: await billing.plans.withdraw(account) }),
  }),
  call<{ account: string }>()({
    id: 'billing portal',
    summary: 'The page of Stripe for payment methods and its invoices',
    http: ['POST', '/accounts/:account/billing-portal'],
    access: payers,
    changes: false,
    properties: { account },
    run: async ({ billing: { payments }, keys }, { account }) => {
      if (!payments) throw new ConsoleError('NO_PAYMENTS');
      return { data: { url: await payments.portal(await keys.findAccount(account)) } };
    },
  }),
];
