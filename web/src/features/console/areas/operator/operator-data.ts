/** The results of the operators' calls. */
import type { AccountData, Group } from '../../state/account-data';

export interface AccountOfOperator extends Omit<AccountData, 'terms'> {
  readonly suspended: boolean;
  readonly apiVersion: string;
  readonly auditImages?: { readonly days: number };
  readonly overrides?: Overrides;
}

/** A part of the page of an account. */
export interface PartProps {
  account: AccountOfOperator;
  onChanged(): void;
}

type PerGroup = Readonly<Record<Group, number>>;

/** Values in place of the plan's. */
export interface Overrides {
  readonly quota?: Partial<PerGroup>;
  readonly overage?: Partial<PerGroup>;
  readonly burst?: { readonly limit: number; readonly windowSeconds: number };
  readonly concurrency?: number;
  readonly sessionBytes?: number;
}

export interface PlanTerms {
  readonly plan: string;
  readonly name: string;
  readonly quota: PerGroup;
  /** Null if the quota is a hard limit. */
  readonly overage: PerGroup | null;
  readonly burst: { readonly limit: number; readonly windowSeconds: number };
  readonly concurrency: number;
  readonly sessionBytes: number;
}

/** The path of an account, for the operators' calls. */
export const pathOf = (accountId: string): string => `/operator/accounts/${encodeURIComponent(accountId)}`;
