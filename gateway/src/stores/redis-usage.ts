/** Counters and ledger of an account, as the scripts of metering write them. */
import type { KeyMode } from '../services/api-key';
import { daysOf, startOf } from '../services/months';
import { type ProductGroup, productGroups } from '../services/terms';
import type { LedgerEntry, MonthCounters, UsageStore } from '../services/usage';
import { defineMeterCommands } from './meter-commands';
import { sweptMs } from './meter-scripts';
import { type RedisClient, unavailable } from './redis';
import { accountKey, keysOf } from './redis-meter';

const page = 1_000;

export class RedisUsage implements UsageStore {
  constructor(private readonly redis: RedisClient) {
    defineMeterCommands(redis);
  }

  async readMonth(accountId: string, mode: KeyMode, month: string): Promise<MonthCounters> {
    const period = `${mode}:${month}:`;
    const days = Array.from({ length: daysOf(month) }, (_, i) => i + 1);
    const fields = productGroups.flatMap((group) =>
      ['used', 'reserved', ...days.map((day) => `day:${day}`)].map((name) => `${period}${group}:${name}`),
    );
    const key = accountKey(accountId, 'usage');
    // What a lost process held is given back first, or it would be shown as reserved.
    await this.redis.meterSweep(...keysOf(accountId)).catch(unavailable);
    const values = await this.redis.hmget(key, ...fields, `${period}terms`).catch(unavailable);
    const value = new Map(fields.map((field, i) => [field, Number(values[i] ?? 0)]));
    const read = <T>(of: (group: ProductGroup) => T) =>
      Object.fromEntries(productGroups.map((group) => [group, of(group)])) as Record<ProductGroup, T>;
    const terms = values.at(-1);
    return {
      used: read((group) => value.get(`${period}${group}:used`) ?? 0),
      reserved: read((group) => value.get(`${period}${group}:reserved`) ?? 0),
      days: read((group) => days.map((day) => value.get(`${period}${group}:day:${day}`) ?? 0)),
      ...(terms && { terms: JSON.parse(terms) }),
    };
  }

  /** A month's last entries may come after its end, when a commit was held up. */
  async *readLedger(accountId: string, month: string): AsyncGenerator<LedgerEntry> {
    const key = accountKey(accountId, 'ledger');
    const end = `${startOf(month) + daysOf(month) * 86_400_000 + sweptMs}`;
    let from = `${startOf(month)}`;
    for (;;) {
      const entries = await this.redis.xrange(key, from, end, 'COUNT', page).catch(unavailable);
      for (const [id, fields] of entries) {
        const entry = entryOf(id, fields);
        if (entry.month === month) yield entry;
      }
      const last = entries.at(-1)?.[0];
      if (last === undefined || entries.length < page) return;
      from = `(${last}`;
    }
  }
}

function entryOf(id: string, fields: readonly string[]): LedgerEntry {
  const pairs = fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1]] as const] : []));
  const { kind, item, mode, month, day, group, product, key } = Object.fromEntries(pairs);
  return { id, kind, item, mode, month, day: Number(day), group, product, keyId: key } as LedgerEntry;
}
