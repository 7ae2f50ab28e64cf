/** Alerts in Redis: the counters that the scripts of metering write, and a mark for each alert. */
import brand from '@presenza/contract/brand.json';
import type { AlertStore, UsageAlert } from '../../services/billing/usage-alerts';
import { newEventId } from '../../services/liveness/session/ids';
import { forEach, type ProductGroup, productGroups } from '../../services/plans/terms';
import type { UsageReached } from '../../services/webhooks/events';
import { accountKey } from '../account-key';
import { takeLease } from '../lease';
import { outboxKey } from '../liveness/keys';
import { sessionAccounts, touchAccount } from '../liveness/session-accounts';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';
import { activeAccounts } from '../redis-meter';

const leaseKey = `${brand.slug}:usage-alerts:lease`;
const alertScript = LuaScript.load<'usage' | 'outbox', 'mark' | 'used' | 'id' | 'type' | 'details'>(
  'billing/alert',
);
const usageKey = (accountId: string) => accountKey(accountId, 'usage');

export class RedisAlerts implements AlertStore {
  constructor(
    private readonly redis: RedisClient,
    private readonly now: () => number = Date.now,
  ) {}

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
    const keys = { usage: usageKey(accountId), outbox: outboxKey(accountId) };
    if (await this.redis.hexists(keys.usage, mark).catch(unavailable)) return false;
    const reached: UsageReached = { month, productGroup: group, threshold, used, quota };
    const event = { id: newEventId(), type: 'usage.threshold', details: JSON.stringify(reached) };
    // Register the account first, so that the next poll finds the event.
    await touchAccount(this.redis, accountId, this.now());
    return (await alertScript.run(this.redis, keys, { mark, used, ...event }).catch(unavailable)) === 1;
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
