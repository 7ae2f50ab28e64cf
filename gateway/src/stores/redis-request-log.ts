import type { Page, PageOf } from '../services/pages';
import type {
  LoggedRequest,
  RequestFilter,
  RequestLogStore,
  RequestReader,
} from '../services/requests/request-log';
import { accountKey } from './account-key';
import { LuaScript } from './lua/script';
import { type RedisClient, unavailable } from './redis';

const appendScript = LuaScript.load<'passed' | 'failed', 'most' | 'retentionMs'>('requests/append');

export const requestLogDays = 7;
const retentionMs = requestLogDays * 24 * 60 * 60 * 1_000;
/** Entries of each stream that are read at once. */
const chunk = 500;
/** How many entries one page may examine: the whole log at its default size. */
const maxExamined = 20_000;

type Row = [id: string, fields: [name: string, text: string]];

/**
 * The request log, as two Redis streams for each account: the requests that succeeded, and those that failed.
 * `mostEntries` is the approximate size of each: Redis drops the oldest entries in whole nodes of its tree. An entry takes
 * some 150 bytes.
 */
export class RedisRequestLog implements RequestLogStore, RequestReader {
  constructor(
    private readonly redis: RedisClient,
    private readonly mostEntries = 0,
    private readonly now: () => number = Date.now,
  ) {}

  async append(accountId: string, requests: readonly LoggedRequest[]): Promise<void> {
    const args = { most: this.mostEntries, retentionMs };
    await appendScript.run(this.redis, keysOf(accountId), args, { args: requests.map(textOf) });
  }

  async list(
    accountId: string,
    { limit, after, ...filter }: PageOf & RequestFilter,
  ): Promise<Page<LoggedRequest>> {
    const items: LoggedRequest[] = [];
    const isWanted = wantedBy(filter);
    let last = after;
    for (let examined = 0; examined < maxExamined; examined += chunk) {
      const rows = await this.newest(streamsOf(accountId, filter), last);
      for (const [id, [, text]] of rows) {
        if (isWanted(text)) items.push(requestOf(text));
        last = id;
        if (items.length === limit) return { items, next: id };
      }
      if (rows.length < chunk) return { items };
    }
    return { items, ...(last !== undefined && { next: last }) };
  }

  /** The newest rows of the streams, in the order of their ids. */
  private async newest(streams: readonly string[], after: string | undefined): Promise<Row[]> {
    const newest = after === undefined ? '+' : `(${after}`;
    const oldest = this.now() - retentionMs;
    const read = (stream: string) => this.redis.xrevrange(stream, newest, oldest, 'COUNT', chunk);
    const rows = (await Promise.all(streams.map(read)).catch(unavailable)) as Row[][];
    return rows.flat().sort(newerFirst).slice(0, chunk);
  }
}

const keysOf = (accountId: string) => ({
  passed: accountKey(accountId, 'requests'),
  failed: accountKey(accountId, 'requests:failed'),
});

function streamsOf(accountId: string, { failed }: RequestFilter): string[] {
  const keys = keysOf(accountId);
  if (failed === undefined) return Object.values(keys);
  return [failed ? keys.failed : keys.passed];
}

/** The script reads the status, so it stands first. */
const textOf = ({ status, at, ms, requestId, keyId, mode, method, path, code }: LoggedRequest) =>
  JSON.stringify([
    status,
    at,
    ms,
    requestId,
    keyId,
    mode,
    method,
    path,
    ...(code === undefined ? [] : [code]),
  ]);

type Entry = [
  ...[status: number, at: number, ms: number, requestId: string, keyId: string],
  ...[mode: LoggedRequest['mode'], method: string, path: string, code?: LoggedRequest['code']],
];

function requestOf(text: string): LoggedRequest {
  const [status, at, ms, requestId, keyId, mode, method, path, code] = JSON.parse(text) as Entry;
  return { requestId, at, keyId, mode, method, path, status, ...(code !== undefined && { code }), ms };
}

/** Most entries are not wanted by a filter, and looking for a text is cheaper than parsing it. */
function wantedBy({ requestId, key }: RequestFilter): (text: string) => boolean {
  if (requestId === undefined && key === undefined) return () => true;
  const parts = [requestId, key].flatMap((part) => (part === undefined ? [] : [JSON.stringify(part)]));
  return (text) => {
    if (!parts.every((part) => text.includes(part))) return false;
    const request = requestOf(text);
    return (
      (requestId === undefined || request.requestId === requestId) &&
      (key === undefined || request.keyId === key)
    );
  };
}

function newerFirst([row]: Row, [other]: Row): number {
  const [ms, place] = orderOf(row);
  const [otherMs, otherPlace] = orderOf(other);
  return otherMs - ms || otherPlace - place;
}

/** The time in ms and the place among entries of that time. */
const orderOf = (id: string) => id.split('-').map(Number) as [ms: number, place: number];
