/** Accounts, which own API keys and have a plan. */
import type { LivenessPolicy } from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import { OperatorError } from '../../errors';
import { wrongValue } from '../../errors/expectation';
import { isSecureOrigin } from '../../formats/origins';
import type { Immutable } from '../contract/immutable';
import type { Page, PageOf } from '../pages';
import { type Overrides, type PlanTier, planTiers, termsOf } from '../plans/terms';
import { type Branding, checkBranding } from './branding';
import { checkReturnSchemes, type HostedPage } from './hosted-page';

export interface Account extends HostedPage {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanTier;
  /** The plan that a member asked the operator for. */
  readonly requestedPlan?: PlanTier;
  /** See `accountAt`. */
  readonly plannedPlan?: PlannedPlan;
  readonly payment?: Payment;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly overrides?: Overrides;
  /** While true, every request of the account is rejected. */
  readonly suspended?: boolean;
  readonly branding?: Branding;
  /** The policy of sessions whose request does not say otherwise. */
  readonly livenessPolicy?: Immutable<LivenessPolicy>;
  /** Origins whose pages may make the calls about the account's sessions, besides those of the configuration. */
  readonly origins?: readonly string[];
  /** Absent: no session keeps an audit image. */
  readonly auditImages?: AuditImageSetting;
  /**
   * Whether its webhook endpoints may be on the gateway's own machine, whose other services trust that machine. For the
   * account of a developer, never of a customer.
   */
  readonly localWebhooks?: boolean;
  /** A date of the contract's versions.json; absent: the first. */
  readonly apiVersion?: string;
  /** Earlier plans and overrides, oldest first. */
  readonly earlierTerms?: readonly EarlierTerms[];
}

/** A plan that replaces the current one at a time, in milliseconds since 1970. */
export interface PlannedPlan {
  readonly plan: PlanTier;
  readonly at: number;
}

/** The customer at Stripe that pays for the account, and its subscription while there is one. */
export interface Payment {
  readonly customerId: string;
  readonly subscriptionId?: string;
  /** The plan that the subscription charges. */
  readonly plan?: PlanTier;
}

/** Whether each session keeps an image for review by a person, and for how long. */
export interface AuditImageSetting {
  /** 30 by default. */
  readonly days?: number;
}

/** A plan and overrides, and when they ended. */
export interface EarlierTerms {
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly plan: PlanTier;
  readonly overrides?: Overrides;
}

/** Three years of monthly changes; older periods are billed already. */
const maxEarlierTerms = 36;

/** The plan and overrides at a time, in milliseconds since 1970. */
export const termsAt = (account: Account, at: number): Pick<Account, 'plan' | 'overrides'> =>
  account.earlierTerms?.find(({ until }) => at < until) ?? account;

/**
 * The account at a time in milliseconds since 1970, with its planned plan if that has come. The store applies it to every
 * account that it reads, so the plan changes at its exact time without a job that could be late.
 */
export function accountAt({ plannedPlan, ...account }: Account, now: number): Account {
  if (!plannedPlan) return account;
  if (now < plannedPlan.at) return { ...account, plannedPlan };
  const { plan, at } = plannedPlan;
  return { ...account, plan, earlierTerms: earlierTerms(account, { plan }, at) };
}

/** Every method applies planned plans. */
export interface AccountStore {
  addAccount(account: Account): Promise<void>;
  findAccount(id: string): Promise<Account | undefined>;
  /** Newest first. */
  listAccounts(page: PageOf): Promise<Page<Account>>;
  /**
   * Replaces an account by the result of `change`, atomically, and notifies every gateway.
   * @returns the new account; undefined if it does not exist.
   */
  updateAccount(id: string, change: (account: Account) => Account): Promise<Account | undefined>;
}

/** Changes of an account; `null` clears a value. */
export interface AccountChange {
  readonly name?: string;
  readonly plan?: PlanTier;
  readonly requestedPlan?: PlanTier | null;
  readonly plannedPlan?: PlannedPlan | null;
  readonly payment?: Payment;
  readonly overrides?: Overrides | null;
  readonly suspended?: boolean;
  readonly localWebhooks?: boolean;
  readonly branding?: Branding | null;
  readonly controller?: NonNullable<HostedPage['controller']> | null;
  readonly alternative?: NonNullable<HostedPage['alternative']> | null;
  readonly returnSchemes?: readonly string[] | null;
  readonly livenessPolicy?: Account['livenessPolicy'] | null;
  readonly origins?: readonly string[] | null;
  readonly auditImages?: AuditImageSetting | null;
  readonly apiVersion?: string;
}

/** How many days a session's audit image is kept; undefined if there is none. */
export const auditImageDaysOf = ({ auditImages }: Account): number | undefined =>
  auditImages && (auditImages.days ?? limits.liveness.auditImage.defaultDays);

/** @throws OperatorError */
export function changeAccount(account: Account, change: AccountChange, now: number): Account {
  const { name = account.name, plan = account.plan, overrides = account.overrides } = change;
  checkPlan(plan);
  if (overrides?.overage && termsOf(plan).overage === null) {
    throw new OperatorError(
      `The plan ${plan} stops at its quota, so it has no overage to change: set another quota, or take another plan`,
    );
  }
  if (change.branding) checkBranding(change.branding, plan);
  if (change.returnSchemes) checkReturnSchemes(change.returnSchemes);
  const origins = change.origins?.map((text) => checkedOrigin(text.toLowerCase()));
  // A new plan settles earlier requests and plans for later.
  const settled = change.plan === undefined ? {} : { requestedPlan: null, plannedPlan: null };
  const values = {
    ...account,
    ...settled,
    ...change,
    ...(origins && { origins }),
    name: checkName(name, limits.accounts.maxNameLength),
    earlierTerms: earlierTerms(account, change, now),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isSet(value))) as unknown as Account;
}

function earlierTerms(account: Account, change: AccountChange, until: number): readonly EarlierTerms[] {
  const { plan, overrides, earlierTerms: earlier = [] } = account;
  if (change.plan === undefined && change.overrides === undefined) return earlier;
  return [...earlier, { until, plan, ...(overrides && { overrides }) }].slice(-maxEarlierTerms);
}

/** Absent values mean the same as these, and take no room in the store. */
const isSet = (value: unknown) =>
  value !== null && value !== false && !(Array.isArray(value) && value.length === 0);

/** @throws OperatorError */
export function checkPlan(plan: PlanTier): void {
  if (!planTiers.includes(plan)) throw new OperatorError(`A plan is one of ${planTiers.join(', ')}`);
}

/** @throws OperatorError */
function checkedOrigin(text: string): string {
  if (isSecureOrigin(text)) return text;
  throw new OperatorError(
    `An origin has the form https://HOST, https://HOST:PORT, capacitor://HOST or ionic://HOST, which ${text} has not`,
  );
}

/**
 * Checks a display name: one line of visible text.
 * @throws OperatorError
 */
export function checkName(name: string, longest: number): string {
  if (name.length < 1 || name.length > longest || /[\p{C}\p{Zl}\p{Zp}]/u.test(name) || name !== name.trim()) {
    throw new OperatorError(
      `A name has 1 to ${longest} characters, without line breaks and without spaces at its ends`,
      'INVALID_PARAMETERS',
      wrongValue('name', 'name'),
    );
  }
  return name;
}

export const noAccount = (id: string) => new OperatorError(`There is no account ${id}`, 'NOT_FOUND');
