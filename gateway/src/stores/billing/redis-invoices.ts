/** Invoices in Redis: those of an account in its slot of a cluster, and the numbers of all in one place. */
import brand from '@presenza/contract/brand.json';
import type { Invoice, InvoiceStore } from '../../services/billing/invoices';
import { accountKey } from '../account-key';
import { takeLease } from '../lease';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';
import { valuesOf } from '../replace';

/** Hash: the invoices of an account by month. */
const invoicesKey = (accountId: string) => accountKey(accountId, 'invoices');
/** Set: the months whose overage Stripe has. */
const chargedKey = (accountId: string) => accountKey(accountId, 'invoices:charged');
/** Hash: the number of each invoice by account and month, and `last`, the highest. */
const numbersKey = `${brand.slug}:invoices:numbers`;
const closedKey = `${brand.slug}:invoices:closed`;
const leaseKey = `${brand.slug}:invoices:lease`;

const numberScript = LuaScript.load<'numbers', 'invoice'>('billing/number');

export class RedisInvoices implements InvoiceStore {
  constructor(private readonly redis: RedisClient) {}

  async numberOf(accountId: string, month: string): Promise<number> {
    const invoice = `${accountId} ${month}`;
    return Number(
      await numberScript.run(this.redis, { numbers: numbersKey }, { invoice }).catch(unavailable),
    );
  }

  async add(accountId: string, invoice: Invoice): Promise<Invoice> {
    const key = invoicesKey(accountId);
    const added = await this.redis.hsetnx(key, invoice.month, JSON.stringify(invoice)).catch(unavailable);
    return added === 1 ? invoice : ((await this.find(accountId, invoice.month)) ?? invoice);
  }

  async find(accountId: string, month: string): Promise<Invoice | undefined> {
    const text = await this.redis.hget(invoicesKey(accountId), month).catch(unavailable);
    return text === null ? undefined : (JSON.parse(text) as Invoice);
  }

  async list(accountId: string): Promise<Invoice[]> {
    const all = await valuesOf<Invoice>(this.redis, invoicesKey(accountId));
    return all.sort((a, b) => b.month.localeCompare(a.month));
  }

  async renameCustomer(
    accountId: string,
    isNamed: (name: string) => boolean,
    newName: () => string,
  ): Promise<void> {
    const named = (await this.list(accountId)).filter(({ customer }) => isNamed(customer.name));
    for (const { customer, ...invoice } of named) {
      const renamed = { ...invoice, customer: { ...customer, name: newName() } };
      await this.redis
        .hset(invoicesKey(accountId), invoice.month, JSON.stringify(renamed))
        .catch(unavailable);
    }
  }

  async isCharged(accountId: string, month: string): Promise<boolean> {
    return (await this.redis.sismember(chargedKey(accountId), month).catch(unavailable)) === 1;
  }

  async setCharged(accountId: string, month: string): Promise<void> {
    await this.redis.sadd(chargedKey(accountId), month).catch(unavailable);
  }

  async closedMonth(): Promise<string | undefined> {
    return (await this.redis.get(closedKey).catch(unavailable)) ?? undefined;
  }

  async close(month: string): Promise<void> {
    await this.redis.set(closedKey, month).catch(unavailable);
  }

  acquireLease(ms: number): Promise<boolean> {
    return takeLease(this.redis, leaseKey, ms / 2).catch(unavailable);
  }
}
