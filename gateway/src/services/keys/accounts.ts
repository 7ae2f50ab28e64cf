/** Accounts, which own API keys and have a plan. */
import limits from '@presenza/contract/limits.json';
import { wrongValue } from '../../errors/expectation';
import { Refusal } from '../../errors/refusal';
import type { Page, PageOf } from '../pages';
import { type Overrides, type PlanTier, planTiers, termsOf } from '../plans/terms';
import { type Branding, checkBranding } from './branding';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanTier;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly overrides?: Overrides;
  /** While true, every request of the account is rejected. */
  readonly suspended?: boolean;
  readonly branding?: Branding;
  /** Absent: no session keeps an audit image. */
  readonly auditImages?: AuditImageSetting;
  /** A date of the contract's versions.json; absent: the first. */
  readonly apiVersion?: string;
  /** Earlier plans and overrides, oldest first. */
  readonly earlierTerms?: readonly EarlierTerms[];
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
  readonly overrides?: Overrides | null;
  readonly suspended?: boolean;
  readonly branding?: Branding | null;
  readonly auditImages?: AuditImageSetting | null;
  readonly apiVersion?: string;
}

/** How many days a session's audit image is kept; undefined if there is none. */
export const auditImageDaysOf = ({ auditImages }: Account): number | undefined =>
  auditImages && (auditImages.days ?? limits.liveness.auditImage.defaultDays);

/** @throws Refusal */
export function changeAccount(account: Account, change: AccountChange, now: number): Account {
  const { overrides: before, suspended: was, branding: look, auditImages: images, ...others } = account;
  const { earlierTerms = [], ...kept } = others;
  const { name = account.name, plan = account.plan, overrides = before, suspended = was } = change;
  const { branding = look, auditImages = images, apiVersion = account.apiVersion } = change;
  checkPlan(plan);
  if (overrides?.overage && termsOf(plan).overage === null) {
    throw new Refusal(
      `The plan ${plan} stops at its quota, so it has no overage to change: set another quota, or take another plan`,
    );
  }
  if (change.branding) checkBranding(change.branding, plan);
  const otherTerms = change.plan !== undefined || change.overrides !== undefined;
  const ended = { until: now, plan: account.plan, ...(before && { overrides: before }) };
  const earlier = otherTerms ? [...earlierTerms, ended].slice(-maxEarlierTerms) : earlierTerms;
  return {
    ...kept,
    ...(earlier.length > 0 && { earlierTerms: earlier }),
    name: checkName(name, limits.accounts.maxNameLength),
    plan,
    ...(overrides && { overrides }),
    ...(suspended && { suspended }),
    ...(branding && { branding }),
    ...(auditImages && { auditImages }),
    ...(apiVersion !== undefined && { apiVersion }),
  };
}

/** @throws Refusal */
export function checkPlan(plan: PlanTier): void {
  if (!planTiers.includes(plan)) throw new Refusal(`A plan is one of ${planTiers.join(', ')}`);
}

/**
 * Checks a display name: one line of visible text.
 * @throws Refusal
 */
export function checkName(name: string, longest: number): string {
  if (name.length < 1 || name.length > longest || /[\p{C}\p{Zl}\p{Zp}]/u.test(name) || name !== name.trim()) {
    throw new Refusal(
      `A name has 1 to ${longest} characters, without line breaks and without spaces at its ends`,
      'INVALID_PARAMETERS',
      wrongValue('name', 'pattern'),
    );
  }
  return name;
}

export const noAccount = (id: string) => new Refusal(`There is no account ${id}`, 'NOT_FOUND');
