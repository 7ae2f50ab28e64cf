import brand from '@presenza/contract/brand.json';
import type { AuditEntry, AuditLog, AuditRecord } from '../services/audit/audit';
import type { Page, PageOf } from '../services/pages';
import { type RedisClient, unavailable } from './redis';

const stream = `${brand.slug}:audit`;
/** Approximate number of entries to keep: Redis drops the oldest in whole nodes of its tree. */
const kept = 100_000;
/** Limit on the entries to scan for one page, for an account with few entries. */
const scanned = 2_000;

/** The audit log, as one Redis stream with times as ids. */
export class RedisAuditLog implements AuditLog {
  constructor(private readonly redis: RedisClient) {}

  async record(entry: AuditRecord): Promise<void> {
    await this.redis
      .xadd(stream, 'MAXLEN', '~', kept, '*', 'entry', JSON.stringify(entry))
      .catch(unavailable);
  }

  async list({ limit, after, accountId }: PageOf & { accountId?: string }): Promise<Page<AuditEntry>> {
    const from = after === undefined ? '+' : `(${after}`;
    const count = accountId === undefined ? limit : scanned;
    const rows = await this.redis.xrevrange(stream, from, '-', 'COUNT', count).catch(unavailable);
    const items: AuditEntry[] = [];
    for (const [id, [, text]] of rows as [string, [string, string]][]) {
      const entry = JSON.parse(text) as AuditRecord;
      if (accountId === undefined || entry.accountId === accountId)
        items.push({ time: timeOf(id), ...entry });
      if (items.length === limit) return { items, next: id };
    }
    const last = rows.length === count ? rows.at(-1)?.[0] : undefined;
    return { items, ...(last !== undefined && { next: last }) };
  }
}

const timeOf = (id: string) => new Date(Number.parseInt(id, 10)).toISOString();
