import brand from '@presenza/contract/brand.json';
import { randomBase62 } from '../crypto/base62';
import type { AuditEntry, AuditLog, AuditRecord } from '../services/audit/audit';
import type { Page, PageOf } from '../services/pages';
import { isoTime } from '../services/timing/iso-time';
import { LuaScript } from './lua/script';
import { type RedisClient, unavailable } from './redis';

/** Entries of operators. */
const operators = `${brand.slug}:audit`;
/** Entries that accounts cause with their keys and receivers. Separate, so that they cannot displace those of operators. */
const accounts = `${operators}:accounts`;
/** The same entries of one account, so that no other account can displace them. */
const ownOf = (accountId: string) => `${accounts}:${accountId}`;
const causedByAccount = /^(key:|user:|gateway$)/;
/**
 * Approximate numbers of entries to keep: Redis drops the oldest in whole nodes of its tree. An entry of a new key may
 * take 2 KB, most take a fifth of it.
 */
const kept = { operators: 100_000, accounts: 20_000, own: 10_000 };
/** Limit on the entries of each stream to scan for one page, for an account with few entries. */
const scanned = 2_000;

/** Set: streams with deleted entries, whose texts are still there. */
const gaps = `${operators}:gaps`;
const compactScript = LuaScript.load<'stream' | 'copy', 'from' | 'count' | 'ttl'>('audit/compact');
/** A call with 500 entries takes some milliseconds, in which Redis does nothing else. */
const copied = 500;
/** Of a copy whose gateway has died. */
const copyMs = 60_000;
/** Entries may be deleted or trimmed while a stream is copied, which then begins anew. */
const mostCopies = 5;

type Row = [id: string, fields: [name: string, text: string]];

/** The audit log, as Redis streams with times as ids. */
export class RedisAuditLog implements AuditLog {
  constructor(private readonly redis: RedisClient) {}

  async record(entry: AuditRecord): Promise<void> {
    const text = JSON.stringify(entry);
    const add = (stream: string, most: number) =>
      this.redis.xadd(stream, 'MAXLEN', '~', most, '*', 'entry', text).catch(unavailable);
    if (!causedByAccount.test(entry.actor)) {
      await add(operators, kept.operators);
      return;
    }
    const { accountId } = entry;
    await Promise.all([
      add(accounts, kept.accounts),
      accountId !== undefined && add(ownOf(accountId), kept.own),
    ]);
  }

  async list({ limit, after, accountId }: PageOf & { accountId?: string }): Promise<Page<AuditEntry>> {
    const count = accountId === undefined ? limit : scanned;
    const causedByAccounts = accountId === undefined ? accounts : ownOf(accountId);
    const rows = await this.newest([operators, causedByAccounts], count, after);
    const items: AuditEntry[] = [];
    for (const [id, [, text]] of rows) {
      const entry = JSON.parse(text) as AuditRecord;
      if (accountId === undefined || entry.accountId === accountId)
        items.push({ time: timeOf(id), ...entry });
      if (items.length === limit) return { items, next: id };
    }
    const last = rows.length === count ? rows.at(-1)?.[0] : undefined;
    return { items, ...(last !== undefined && { next: last }) };
  }

  async erase(accountId: string): Promise<number> {
    const isTheirs = (text: string) => (JSON.parse(text) as AuditRecord).accountId === accountId;
    const removed = await Promise.all(
      [operators, accounts].map((stream) => this.eraseFrom(stream, isTheirs)),
    );
    await this.redis.del(ownOf(accountId)).catch(unavailable);
    return removed.reduce((sum, one) => sum + one, 0);
  }

  async eraseNaming(accountId: string | undefined, isNamed: (text: string) => boolean): Promise<void> {
    const streams = accountId === undefined ? [operators, accounts] : [ownOf(accountId)];
    await Promise.all(streams.map((stream) => this.eraseFrom(stream, isNamed)));
  }

  private async eraseFrom(stream: string, isErased: (text: string) => boolean): Promise<number> {
    let removed = 0;
    for (let from = '-'; ; ) {
      const rows = (await this.redis.xrange(stream, from, '+', 'COUNT', scanned).catch(unavailable)) as Row[];
      const theirs = rows.filter(([, [, text]]) => isErased(text));
      const ids = theirs.map(([id]) => id);
      if (ids.length > 0) removed += await this.redis.xdel(stream, ...ids).catch(unavailable);
      const last = rows.at(-1)?.[0];
      if (last === undefined || rows.length < scanned) break;
      from = `(${last}`;
    }
    if (removed > 0) await this.redis.sadd(gaps, stream).catch(unavailable);
    return removed;
  }

  /** Removes the texts of deleted entries from memory, and from what Redis writes to its files from then on. */
  async compact(): Promise<void> {
    const { redis } = this;
    for (const stream of await redis.smembers(gaps).catch(unavailable)) {
      // First: entries that are deleted from now on need another copy.
      await redis.srem(gaps, stream).catch(unavailable);
      if (await this.isCompacted(stream).catch(() => false)) continue;
      await redis.sadd(gaps, stream).catch(unavailable);
    }
  }

  private async isCompacted(stream: string): Promise<boolean> {
    for (let attempt = 0; attempt < mostCopies; attempt++) {
      // In the slot of the stream.
      const keys = { stream, copy: `{${stream}}:copy:${randomBase62(16)}` };
      let from = '-';
      while (from !== '' && from !== 'again') {
        const args = { from, count: copied, ttl: copyMs };
        from = String(await compactScript.run(this.redis, keys, args));
      }
      if (from === '') return true;
    }
    return false;
  }

  /** The newest rows of the streams, in the order of their ids. */
  private async newest(streams: readonly string[], count: number, after: string | undefined): Promise<Row[]> {
    const from = after === undefined ? '+' : `(${after}`;
    const read = (stream: string) => this.redis.xrevrange(stream, from, '-', 'COUNT', count);
    const rows = (await Promise.all(streams.map(read)).catch(unavailable)) as Row[][];
    return rows.flat().sort(newerFirst).slice(0, count);
  }
}

function newerFirst([one]: Row, [other]: Row): number {
  const [ms, place] = orderOf(one);
  const [otherMs, otherPlace] = orderOf(other);
  return otherMs - ms || otherPlace - place;
}

/** The time in ms and the place among entries of that time, from an id such as `1767225600000-0`. */
const orderOf = (id: string) => id.split('-').map(Number) as [ms: number, place: number];

const timeOf = (id: string) => isoTime(Number.parseInt(id, 10));
