/**
 * Invoices of closed months. A background job makes each once, by the prices and the plan at the end of its month, and
 * nothing changes it later.
 */
import plans from '@presenza/contract/plans.json';
import { forEach } from '../../async/for-each';
import { type Account, termsAt } from '../keys/accounts';
import type { KeyService } from '../keys/keys';
import { endOf, monthOf, shift, startOf } from '../metering/months';
import { overageOf, sumOf, type UsageStore } from '../metering/usage';
import { type PlanTier, type ProductGroup, productGroups, type Terms, termsOf } from '../plans/terms';
import { isoTime } from '../timing/iso-time';
import { accountsAtOnce, everyAccount } from './every-account';

export interface InvoiceLine {
  readonly kind: 'base' | 'overage';
  readonly group?: ProductGroup;
  /** Units used in the month, and those that the plan includes. */
  readonly used?: number;
  readonly included?: number;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly amount: number;
}

export interface Invoice {
  /** The month and a number that counts all invoices of the service, without gaps: `2026-10-000123`. */
  readonly number: string;
  readonly month: string;
  readonly period: { readonly start: string; readonly end: string };
  readonly issuedAt: string;
  /** `due`: to be paid to the seller; `stripe`: Stripe charges it, and sends an invoice of its own. */
  readonly status: 'due' | 'stripe';
  readonly currency: 'USD';
  /** Name, address and tax number of the seller, as the operator wrote them. */
  readonly seller: string | null;
  readonly customer: { readonly accountId: string; readonly name: string };
  readonly plan: PlanTier;
  readonly lines: readonly InvoiceLine[];
  /** The sum of the lines, rounded to cents. */
  readonly total: number;
}

export interface InvoiceStore {
  /** The next number of the service at the first call for an account and month, the same at each later call. */
  numberOf(accountId: string, month: string): Promise<number>;
  /** Keeps an invoice unless the month has one. @returns the one that is kept */
  add(accountId: string, invoice: Invoice): Promise<Invoice>;
  find(accountId: string, month: string): Promise<Invoice | undefined>;
  /** Newest first. */
  list(accountId: string): Promise<Invoice[]>;
  /** Replaces the customer's name in the invoices where it is `isNamed`; numbers and amounts stay. */
  renameCustomer(accountId: string, isNamed: (name: string) => boolean, newName: () => string): Promise<void>;
  /** Whether Stripe has the overage of the invoice. */
  isCharged(accountId: string, month: string): Promise<boolean>;
  setCharged(accountId: string, month: string): Promise<void>;
  /** The last month that has all its invoices. */
  closedMonth(): Promise<string | undefined>;
  close(month: string): Promise<void>;
  /** @returns whether this process may make invoices now; another process may hold the lease */
  acquireLease(ms: number): Promise<boolean>;
}

export interface InvoiceServices {
  readonly store: InvoiceStore;
  readonly usage: Pick<UsageStore, 'readMonth'>;
  readonly accounts: Pick<KeyService, 'listAccounts'>;
  readonly seller: string;
  /** Hands the overage of an invoice to Stripe. A repetition has no effect. Absent without Stripe. */
  readonly charge?: ((account: Account, invoice: Invoice) => Promise<void>) | undefined;
  readonly now: () => number;
}

/**
 * The time after the end of a month in which its last sessions, which may take a day, and the journals of gateways arrive.
 * Units that arrive later are shown as usage and never charged.
 */
const openMs = 2 * 24 * 60 * 60_000;
const numberDigits = 6;

/** The last month of which an invoice can be made. */
const lastClosed = (now: number) => shift(monthOf(now - openMs), -1);

export class Invoices {
  constructor(private readonly services: InvoiceServices) {}

  /** Makes the invoices of all months that have closed since the last round; on a new installation, of the last one. */
  async round(everyMs: number): Promise<void> {
    const { store, accounts, now } = this.services;
    if (!(await store.acquireLease(everyMs))) return;
    const last = lastClosed(now());
    const closed = (await store.closedMonth()) ?? shift(last, -1);
    for (let month = shift(closed, 1); month <= last; month = shift(month, 1)) {
      // One account whose payment hangs or fails must not keep the others from their invoices.
      await forEach(everyAccount(accounts), accountsAtOnce, (account) => this.invoice(account, month));
      await store.close(month);
    }
  }

  /**
   * Makes the invoice of an account and has it charged, unless that is done.
   * @returns undefined for the free plan, for plans whose price sales sets, and for accounts that are younger than the month
   */
  async invoice(account: Account, month: string): Promise<Invoice | undefined> {
    const { store, charge } = this.services;
    const invoice = (await store.find(account.id, month)) ?? (await this.make(account, month));
    if (invoice?.status === 'stripe' && charge && !(await store.isCharged(account.id, month))) {
      await charge(account, invoice);
      await store.setCharged(account.id, month);
    }
    return invoice;
  }

  private async make(account: Account, month: string): Promise<Invoice | undefined> {
    const { store, usage, charge, seller, now } = this.services;
    const { plan, overrides } = termsAt(account, endOf(month) - 1);
    const terms = termsOf(plan, overrides);
    const pricing = plans.find(({ tier }) => tier === plan)?.pricing;
    if (!pricing || !terms.overage || pricing.isCustom || account.createdAt >= endOf(month)) return undefined;
    const { basePrice } = pricing;
    const { used } = await usage.readMonth(account.id, 'live', month);
    const lines: InvoiceLine[] = [
      { kind: 'base', quantity: 1, unitPrice: basePrice, amount: basePrice },
      ...productGroups.map((group) => overageLine(terms, group, used[group])),
    ];
    return store.add(account.id, {
      number: `${month}-${String(await store.numberOf(account.id, month)).padStart(numberDigits, '0')}`,
      month,
      period: { start: isoTime(startOf(month)), end: isoTime(endOf(month)) },
      issuedAt: isoTime(now()),
      status: charge && account.payment?.subscriptionId !== undefined ? 'stripe' : 'due',
      currency: 'USD',
      seller: seller || null,
      plan,
      lines,
      customer: { accountId: account.id, name: account.name },
      total: inCents(sumOf(lines.map(({ amount }) => amount))),
    });
  }
}

function overageLine(terms: Terms, group: ProductGroup, used: number): InvoiceLine {
  const { overageUnits, overageCost } = overageOf(terms, 'live', { group, used });
  return {
    kind: 'overage',
    group,
    used,
    included: terms.quota[group],
    quantity: overageUnits,
    unitPrice: terms.overage?.[group] ?? 0,
    amount: overageCost,
  };
}

/** Amounts have at most three decimals, which are exact in thousandths. */
const inCents = (amount: number) => Math.round(Math.round(amount * 1_000) / 10) / 100;
