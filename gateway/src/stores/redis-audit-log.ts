import brand from '@presenza/contract/brand.json';
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
const kept = { operators: 100_000, accounts: 20_000, account: 10_000 };
/** Limit on the entries of each stream to scan for one page, for an account with few entries. */
const scanned = 2_000;

/** Set: streams with deleted or replaced entries, whose texts are still there. */
const gaps = `${operators}:gaps`;
type StreamKey = 'stream' | 'replaced' | 'copy';
/** The stream, a hash with the new texts of entries by id, and the next stream. In one slot of a cluster. */
const keysOf = (stream: string): Readonly<Record<StreamKey, string>> => ({
  stream,
  replaced: `{${stream}}:replaced`,
  copy: `{${stream}}:copy`,
});
const readScript = LuaScript.load<'stream' | 'replaced', 'command' | 'first' | 'last' | 'count'>(
  'audit/read',
);
const replaceScript = LuaScript.load<StreamKey>('audit/replace');
const compactScript = LuaScript.load<StreamKey, 'count' | 'ttl'>('audit/compact');
/** A call with 500 entries takes some milliseconds, in which Redis does nothing else. */
const copied = 500;
/** A copy outlives the gateway that made it by this time at most. */
const copyMs = 60_000;
/** Entries may change or be trimmed while a stream is copied, which then begins anew. */
const mostCopies = 5;

type Row = [id: string, fields: [name: string, text: string]];
type Change = readonly [id: string, before: string, after: string];

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
      accountId !== undefined && add(ownOf(accountId), kept.account),
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
    await this.redis.del(Object.values(keysOf(ownOf(accountId)))).catch(unavailable);
    return removed.reduce((sum, count) => sum + count, 0);
  }

  async replaceTexts(accountId: string | undefined, replace: (text: string) => string): Promise<void> {
    const streams = accountId === undefined ? [operators, accounts] : [ownOf(accountId)];
    await Promise.all(streams.map((stream) => this.replaceIn(stream, replace)));
  }

  private async replaceIn(stream: string, replace: (text: string) => string): Promise<void> {
    let isChanged = false;
    for await (const rows of this.pages(stream)) {
      let changes = changesOf(rows, replace);
      while (changes.length > 0) {
        isChanged = true;
        await this.mark(stream);
        const others = { args: changes.flat() };
        const left = await replaceScript.run(this.redis, keysOf(stream), {}, others).catch(unavailable);
        // Another erasure has replaced these in the meantime.
        changes = changesOf(left as Row[], replace);
      }
    }
    if (isChanged) await this.mark(stream);
  }

  private async eraseFrom(stream: string, isErased: (text: string) => boolean): Promise<number> {
    let removed = 0;
    const { replaced } = keysOf(stream);
    for await (const rows of this.pages(stream)) {
      const ids = rows.filter(([, [, text]]) => isErased(text)).map(([id]) => id);
      if (ids.length === 0) continue;
      await this.mark(stream);
      removed += await this.redis.xdel(stream, ...ids).catch(unavailable);
      await this.redis.hdel(replaced, ...ids).catch(unavailable);
    }
    if (removed > 0) await this.mark(stream);
    return removed;
  }

  /** Called before a change, in case this process dies, and after it, because a copy may have begun in between. */
  private async mark(stream: string): Promise<void> {
    await this.redis.sadd(gaps, stream).catch(unavailable);
  }

  /** Removes deleted and replaced texts from memory, and from what Redis writes to its files from then on. */
  async compact(): Promise<void> {
    const { redis } = this;
    for (const stream of await redis.smembers(gaps).catch(unavailable)) {
      // First: entries that change from now on need another copy.
      await redis.srem(gaps, stream).catch(unavailable);
      if (await this.isCompacted(stream).catch(() => false)) continue;
      await redis.sadd(gaps, stream).catch(unavailable);
    }
  }

  private async isCompacted(stream: string): Promise<boolean> {
    for (let copies = 0; copies < mostCopies; ) {
      const state = await compactScript.run(this.redis, keysOf(stream), { count: copied, ttl: copyMs });
      if (state === 'done') return true;
      if (state === 'again') copies++;
    }
    return false;
  }

  /** All rows, oldest first. */
  private async *pages(stream: string): AsyncGenerator<Row[]> {
    for (let first = '-'; ; ) {
      const rows = await this.read(stream, { command: 'XRANGE', first, last: '+', count: scanned });
      yield rows;
      const last = rows.at(-1)?.[0];
      if (last === undefined || rows.length < scanned) return;
      first = `(${last}`;
    }
  }

  /** The newest rows of the streams, in the order of their ids. */
  private async newest(streams: readonly string[], count: number, after: string | undefined): Promise<Row[]> {
    const first = after === undefined ? '+' : `(${after}`;
    const range = { command: 'XREVRANGE', first, last: '-', count } as const;
    const rows = await Promise.all(streams.map((stream) => this.read(stream, range)));
    return rows.flat().sort(newerFirst).slice(0, count);
  }

  private async read(
    stream: string,
    range: { command: 'XRANGE' | 'XREVRANGE'; first: string; last: string; count: number },
  ): Promise<Row[]> {
    return (await readScript.run(this.redis, keysOf(stream), range).catch(unavailable)) as Row[];
  }
}

/** The entries that contain such a text. */
function changesOf(rows: readonly Row[], replace: (text: string) => string): Change[] {
  return rows.flatMap(([id, [, text]]) => {
    const after = replacedIn(text, replace);
    return after === text ? [] : [[id, text, after] as const];
  });
}

/** Replaces within the texts of the entry, because an escape such as `\n` would hide the beginning of a word. */
const replacedIn = (entry: string, replace: (text: string) => string) =>
  JSON.stringify(JSON.parse(entry, (_, value) => (typeof value === 'string' ? replace(value) : value)));

function newerFirst([row]: Row, [other]: Row): number {
  const [ms, place] = orderOf(row);
  const [otherMs, otherPlace] = orderOf(other);
  return otherMs - ms || otherPlace - place;
}

/** The time in ms and the place among entries of that time, from an id such as `1767225600000-0`. */
const orderOf = (id: string) => id.split('-').map(Number) as [ms: number, place: number];

const timeOf = (id: string) => isoTime(Number.parseInt(id, 10));
