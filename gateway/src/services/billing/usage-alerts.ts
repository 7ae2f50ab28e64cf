/**
 * Notifies the owners and the billing members of an account when its usage of the month reaches a share of its quota. A
 * periodic round compares the counters with the quota, so that requests do no work for it, and no crash, late commit or
 * change of the plan can skip an alert.
 */
import { forEach } from '../../async/for-each';
import type { Identity } from '../identity/identity';
import { mailOf } from '../identity/mail';
import type { Account } from '../keys/accounts';
import type { KeyService } from '../keys/keys';
import { endOf, monthOf } from '../metering/months';
import { type ProductGroup, productGroups, termsOf } from '../plans/terms';
import { accountsAtOnce } from './every-account';
import { mailPayers } from './payers';

/** Percentages of the quota. */
export const thresholds = [80, 100] as const;

export interface UsageAlert {
  /** `2026-11` */
  readonly month: string;
  readonly group: ProductGroup;
  readonly threshold: (typeof thresholds)[number];
  readonly used: number;
  readonly quota: number;
}

export interface AlertStore {
  /** Accounts that may have used something since the last round. */
  accounts(): AsyncIterable<string>;
  /** Live units in the month. */
  readUsed(accountId: string, month: string): Promise<Readonly<Record<ProductGroup, number>>>;
  /** Records an alert with its event for webhooks, atomically. @returns whether it is the first of its month, group, threshold and quota */
  claim(accountId: string, alert: UsageAlert): Promise<boolean>;
  /** @returns whether this process may do a round now; another process may hold the lease */
  acquireLease(ms: number): Promise<boolean>;
}

export interface UsageAlertServices {
  readonly store: AlertStore;
  readonly accounts: Pick<KeyService, 'findAccount'>;
  readonly identity: Identity;
  readonly now: () => number;
}

const labels: Readonly<Record<ProductGroup, string>> = {
  livenessDetection: 'liveness verifications',
  imageAnalysis: 'image analyses',
};
const number = (value: number) => value.toLocaleString('en-US');

export class UsageAlerts {
  constructor(private readonly services: UsageAlertServices) {}

  async round(everyMs: number): Promise<void> {
    const { store, now } = this.services;
    if (!(await store.acquireLease(everyMs))) return;
    const month = monthOf(now());
    // Part of a cluster may be unavailable, which must not delay the alerts of other accounts.
    await forEach(store.accounts(), accountsAtOnce, (id) => this.check(id, month));
  }

  private async check(accountId: string, month: string): Promise<void> {
    const used = await this.services.store.readUsed(accountId, month);
    if (productGroups.every((group) => used[group] === 0)) return;
    const account = await this.services.accounts.findAccount(accountId);
    const { quota } = termsOf(account.plan, account.overrides);
    for (const group of productGroups)
      await this.alert(account, { month, group, used: used[group], quota: quota[group] });
  }

  private async alert(account: Account, usage: Omit<UsageAlert, 'threshold'>): Promise<void> {
    const { store, identity } = this.services;
    const { group, used, quota, month } = usage;
    if (quota === 0) return;
    let highest: number | undefined;
    for (const threshold of thresholds) {
      if (used * 100 < quota * threshold) break;
      if (await store.claim(account.id, { ...usage, threshold })) highest = threshold;
    }
    if (highest === undefined) return;
    const { overage } = termsOf(account.plan, account.overrides);
    const rest = overage
      ? `Over quota, each one costs $${overage[group]}.`
      : `At 100%, requests are rejected until ${new Date(endOf(month)).toISOString().slice(0, 10)}.`;
    await mailPayers(identity, account.id, (email) =>
      mailOf('usage', email, {
        account: account.name,
        percent: String(highest),
        units: labels[group],
        used: number(used),
        quota: number(quota),
        rest,
        link: identity.links.usage,
      }),
    );
  }
}
