/** Alerts in Redis: the counters that the scripts of metering write, and a mark for each alert. */
import brand from '@presenza/contract/brand.json';
import type { AlertStore, UsageAlert } from '../../services/billing/usage-alerts';
import { forEach, type ProductGroup, productGroups } from '../../services/plans/terms';
import { accountKey } from '../account-key';
import { takeLease } from '../lease';
import { sessionAccounts } from '../liveness/session-accounts';
import { type RedisClient, unavailable } from '../redis';
import { activeAccounts } from '../redis-meter';

const leaseKey = `${brand.slug}:usage-alerts:lease`;
const usageKey = (accountId: string) => accountKey(accountId, 'usage');

export class RedisAlerts implements AlertStore {
  constructor(private readonly redis: RedisClient) {}

  async *accounts(): AsyncGenerator<string> {
    const seen = new Set<string>();
    for await (const id of activeAccounts(this.redis)) yield* first(seen, id);
    for await (const { accountId } of sessionAccounts(this.redis)) yield* first(seen, accountId);
  }

  async readUsed(accountId: string, month: string): Promise<Record<ProductGroup, number>> {
    const fields = productGroups.map((group) => `live:${month}:${group}:used`);
    const values = await this.redis.hmget(usageKey(accountId), ...fields).catch(unavailable);
    return forEach(productGroups, (group) => Number(values[productGroups.indexOf(group)] ?? 0));
  }

  async claim(accountId: string, { month, group, threshold, quota, used }: UsageAlert): Promise<boolean> {
    const mark = `live:${month}:${group}:alert:${threshold}:${quota}`;
    return (await this.redis.hsetnx(usageKey(accountId), mark, used).catch(unavailable)) === 1;
  }

  acquireLease(ms: number): Promise<boolean> {
    return takeLease(this.redis, leaseKey, ms / 2).catch(unavailable);
  }
}

function* first(seen: Set<string>, id: string): Generator<string> {
  if (seen.has(id)) return;
  seen.add(id);
  yield id;
}
