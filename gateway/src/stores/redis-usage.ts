/** Reads the counters and the ledger of an account, which the scripts of metering write. */
import { productIds } from '../services/contract/products';
import type { KeyMode } from '../services/keys/api-key';
import { daysOf as daysIn, startOf } from '../services/metering/months';
import type { LedgerEntry, MonthCounters, UsageStore } from '../services/metering/usage';
import { forEach, productGroups } from '../services/plans/terms';
import { accountKey } from './account-key';
import { meterKeys, sweepScript } from './meter-scripts';
import { type RedisClient, unavailable } from './redis';

const page = 1_000;
/** Entries to remove at once, so that a stream of millions does not block Redis. */
const trimmedAtOnce = 10_000;
const dayMs = 24 * 60 * 60 * 1_000;

export class RedisUsage implements UsageStore {
  constructor(private readonly redis: RedisClient) {}

  async readMonth(accountId: string, mode: KeyMode, month: string): Promise<MonthCounters> {
    const period = `${mode}:${month}:`;
    const days = Array.from({ length: daysIn(month) }, (_, i) => i + 1);
    const fields = [
      ...productGroups.flatMap((group) =>
        ['used', 'reserved', ...days.map((day) => `day:${day}`)].map((name) => `${period}${group}:${name}`),
      ),
      ...productIds.flatMap((product) =>
        ['', ...days.map((day) => `:day:${day}`)].map((name) => `${period}product:${product}${name}`),
      ),
    ];
    const key = accountKey(accountId, 'usage');
    // Refunds expired leases first, which would otherwise show as reserved.
    await sweepScript.run(this.redis, meterKeys(accountId), {}).catch(unavailable);
    const values = await this.redis.hmget(key, ...fields).catch(unavailable);
    const value = new Map(fields.map((field, i) => [field, Number(values[i] ?? 0)]));
    const countOf = (name: string) => value.get(`${period}${name}`) ?? 0;
    const daysOf = (name: string) => days.map((day) => countOf(`${name}:day:${day}`));
    return {
      used: forEach(productGroups, (group) => countOf(`${group}:used`)),
      reserved: forEach(productGroups, (group) => countOf(`${group}:reserved`)),
      days: forEach(productGroups, (group) => daysOf(group)),
      products: forEach(productIds, (product) => ({
        // The counter of earlier months, which the scripts no longer increase.
        withoutDay: countOf(`product:${product}`),
        days: daysOf(`product:${product}`),
      })),
    };
  }

  /**
   * The month of an entry is from the gateway's clock and its id from that of Redis, and a commit may be delayed for a long
   * time. So the scan starts a day before the month and has no end.
   */
  async *readLedger(accountId: string, month: string): AsyncGenerator<LedgerEntry> {
    try {
      for await (const entry of ledgerFrom(this.redis, accountId, startOf(month) - dayMs))
        if (entry.month === month) yield entry;
    } catch (error) {
      unavailable(error);
    }
  }

  /** Keep the last day before the month, because it may contain entries of the month itself. */
  async trimLedger(accountId: string, before: string): Promise<number> {
    // Record it first, so that a partly trimmed month never passes for a complete one.
    const earlier = await this.trimmedBefore(accountId);
    if (earlier === undefined || earlier < before)
      await this.redis.set(accountKey(accountId, 'trimmed'), before).catch(unavailable);
    const key = accountKey(accountId, 'ledger');
    const oldest = startOf(before) - dayMs;
    for (let removed = 0; ; ) {
      const now = await this.redis
        .xtrim(key, 'MINID', '~', oldest, 'LIMIT', trimmedAtOnce)
        .catch(unavailable);
      removed += now;
      // Redis removes only whole blocks of the stream, so the rest is less than a block.
      if (now === 0) return removed + (await this.redis.xtrim(key, 'MINID', '=', oldest).catch(unavailable));
    }
  }

  async trimmedBefore(accountId: string): Promise<string | undefined> {
    return trimmedBefore(this.redis, accountId).catch(unavailable);
  }
}

/** The month before which the ledger of an account was trimmed, as `2026-11`. */
export const trimmedBefore = async (redis: RedisClient, accountId: string): Promise<string | undefined> =>
  (await redis.get(accountKey(accountId, 'trimmed'))) ?? undefined;

/** The entries of an account since a time of Redis, in ms since 1970. */
export async function* ledgerFrom(
  redis: RedisClient,
  accountId: string,
  since: number,
): AsyncGenerator<LedgerEntry> {
  let from = String(since);
  for (;;) {
    const entries = await redis.xrange(accountKey(accountId, 'ledger'), from, '+', 'COUNT', page);
    for (const [id, fields] of entries) yield entryOf(id, fields);
    const last = entries.at(-1)?.[0];
    if (last === undefined || entries.length < page) return;
    from = `(${last}`;
  }
}

function entryOf(id: string, fields: readonly string[]): LedgerEntry {
  const pairs = fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1]] as const] : []));
  const { kind, item, mode, month, day, group, product, key } = Object.fromEntries(pairs);
  return { id, kind, item, mode, month, day: Number(day), group, product, keyId: key } as LedgerEntry;
}
