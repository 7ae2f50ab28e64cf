import type { PageOf } from '../services/pages';
import type {
  HourOfRequests,
  LoggedRequest,
  RequestFilter,
  RequestLogStore,
  RequestPage,
  RequestReader,
  StoredRequest,
} from '../services/requests/request-log';
import { type StageName, type StageTimes, stageNames } from '../services/timing/stages';
import { accountKey } from './account-key';
import { LuaScript } from './lua/script';
import { type RedisClient, unavailable } from './redis';

const hourMs = 60 * 60 * 1_000;
/** Hours that are counted: the current one and those of a day before it. */
const countedHours = 24;

const appendScript = LuaScript.load<'passed' | 'failed' | 'hours', 'most' | 'retentionMs'>(
  'requests/append',
  { HOURS: countedHours },
);

export const requestLogDays = 7;
const retentionMs = requestLogDays * 24 * hourMs;
/** Entries of each stream that are read at once. */
const chunk = 500;
/** How many entries one page may examine: the whole log at its default size. */
const maxExamined = 20_000;

type Row = [id: string, fields: [name: string, text: string]];

/**
 * The request log, as two Redis streams for each account: the requests that succeeded, and those that failed.
 * `mostEntries` is the approximate size of each: Redis drops the oldest entries in whole nodes of its tree. An entry takes
 * some 200 bytes. A hash counts the requests of the last hours.
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
    { limit, after, since, ...filter }: PageOf & RequestFilter & { readonly since?: string },
  ): Promise<RequestPage> {
    const streams = streamsOf(accountId, filter);
    const oldest = this.oldest(filter, since);
    const isWanted = wantedBy(filter);
    const items: StoredRequest[] = [];
    let last = after === undefined ? newestOf(filter) : `(${after}`;
    const newest = after === undefined ? await this.newestId(accountId) : undefined;
    const page = (next?: string) => ({
      items,
      ...(next !== undefined && { next }),
      ...(newest !== undefined && { newest }),
    });
    for (let examined = 0; examined < (since === undefined ? maxExamined : chunk); examined += chunk) {
      const rows = await this.read(streams, last, oldest);
      const isEnd = rows.length < chunk;
      for (const [index, [id, [, text]]] of rows.entries()) {
        if (isWanted(text)) items.push({ id, ...requestOf(text) });
        if (items.length === limit) return page(isEnd && index === rows.length - 1 ? undefined : id);
      }
      const lastId = rows.at(-1)?.[0];
      if (isEnd || lastId === undefined) return page();
      last = `(${lastId}`;
    }
    return page(last.slice(1));
  }

  async find(accountId: string, id: string): Promise<StoredRequest | undefined> {
    const streams = streamsOf(accountId, {});
    // Redis drops old entries in whole nodes, so some are there for longer than the log lasts.
    if (orderOf(id)[0] < this.now() - retentionMs) return undefined;
    const [row] = await this.read(streams, id, id);
    return row && { id, ...requestOf(row[1][1]) };
  }

  async countByHour(accountId: string): Promise<readonly HourOfRequests[]> {
    const counts = await this.redis.hgetall(keysOf(accountId).hours).catch(unavailable);
    const hour = Math.floor(this.now() / hourMs);
    return Array.from({ length: countedHours }, (_, index) => {
      const counted = hour - countedHours + 1 + index;
      const countOf = (...digits: readonly number[]) =>
        digits.reduce((sum, digit) => sum + Number(counts[`${counted}:${digit}`] ?? 0), 0);
      return {
        from: counted * hourMs,
        succeeded: countOf(1, 2, 3),
        refused: countOf(4),
        failed: countOf(5),
      };
    });
  }

  /** The lower end of a range of ids. */
  private oldest({ from = 0 }: RequestFilter, since: string | undefined): string {
    const kept = Math.max(from, this.now() - retentionMs);
    return since !== undefined && orderOf(since)[0] >= kept ? `(${since}` : String(kept);
  }

  /** The newest rows of the streams, in the order of their ids. */
  private async read(streams: readonly string[], newest: string, oldest: string): Promise<Row[]> {
    const read = (stream: string) => this.redis.xrevrange(stream, newest, oldest, 'COUNT', chunk);
    const rows = (await Promise.all(streams.map(read)).catch(unavailable)) as Row[][];
    return rows.flat().sort(newerFirst).slice(0, chunk);
  }

  private async newestId(accountId: string): Promise<string | undefined> {
    const read = (stream: string) => this.redis.xrevrange(stream, '+', '-', 'COUNT', 1);
    const rows = (await Promise.all(streamsOf(accountId, {}).map(read)).catch(unavailable)) as Row[][];
    return rows.flat().sort(newerFirst)[0]?.[0];
  }
}

const keysOf = (accountId: string) => ({
  passed: accountKey(accountId, 'requests'),
  failed: accountKey(accountId, 'requests:failed'),
  hours: accountKey(accountId, 'requests:hours'),
});

function streamsOf(accountId: string, { failed, status }: RequestFilter): string[] {
  const { passed, failed: failures } = keysOf(accountId);
  const streams = new Set([passed, failures]);
  if (failed === true || (status !== undefined && status >= '4')) streams.delete(passed);
  if (failed === false || (status !== undefined && status < '4')) streams.delete(failures);
  return [...streams];
}

/** The upper end of a range of ids: those of the milliseconds before the end of the time. */
const newestOf = ({ to }: RequestFilter): string => (to === undefined ? '+' : String(Math.max(0, to - 1)));

/** The script reads the status, so it stands first. Entries of earlier releases end with the path or the code. */
const textOf = (request: LoggedRequest) => {
  const { status, at, ms, requestId, keyId, mode, method, path, stages = {} } = request;
  const { code = null, apiVersion = null, requestBytes = null, responseBytes = null } = request;
  const times = stageNames.map((name) => (stages[name] === undefined ? null : round(stages[name])));
  while (times.at(-1) === null) times.pop();
  return JSON.stringify([
    status,
    at,
    round(ms),
    requestId,
    keyId,
    mode,
    method,
    path,
    code,
    apiVersion,
    requestBytes,
    responseBytes,
    times,
  ]);
};

const round = (ms: number) => Math.round(ms * 100) / 100;

type Entry = [
  ...[status: number, at: number, ms: number, requestId: string, keyId: string],
  ...[mode: LoggedRequest['mode'], method: string, path: string, code?: LoggedRequest['code'] | null],
  ...[apiVersion?: string | null, requestBytes?: number | null, responseBytes?: number | null],
  times?: readonly (number | null)[],
];

function requestOf(text: string): LoggedRequest {
  const [status, at, ms, requestId, keyId, mode, method, path, ...others] = JSON.parse(text) as Entry;
  const [code, apiVersion, requestBytes, responseBytes, times] = others;
  return {
    requestId,
    at,
    keyId,
    mode,
    method,
    path,
    status,
    ms,
    ...(code && { code }),
    ...(times && { stages: stagesOf(times) }),
    ...(apiVersion && { apiVersion }),
    ...(typeof requestBytes === 'number' && { requestBytes }),
    ...(typeof responseBytes === 'number' && { responseBytes }),
  };
}

function stagesOf(times: readonly (number | null)[]): StageTimes {
  const stages: Partial<Record<StageName, number>> = {};
  for (const [place, name] of stageNames.entries()) {
    const ms = times[place];
    if (typeof ms === 'number') stages[name] = ms;
  }
  return stages;
}

/** Most entries are not wanted by a filter, and looking for a text is cheaper than parsing it. */
function wantedBy({ requestId, key, path, status, failed }: RequestFilter): (text: string) => boolean {
  const parts = [requestId, key, path].flatMap((part) => (part === undefined ? [] : [JSON.stringify(part)]));
  // Each entry begins with its status, which has three digits.
  if (status !== undefined) parts.push(`[${status.replace(/xx$/, '')}`);
  if (parts.length === 0) return () => true;
  return (text) => {
    if (!parts.every((part) => text.includes(part))) return false;
    const request = requestOf(text);
    return (
      (requestId === undefined || request.requestId === requestId) &&
      (key === undefined || request.keyId === key) &&
      (path === undefined || request.path === path) &&
      (status === undefined || hasStatus(request, status)) &&
      (failed === undefined || request.status >= 400 === failed)
    );
  };
}

const hasStatus = (request: LoggedRequest, status: string) =>
  status.endsWith('xx') ? String(request.status)[0] === status[0] : String(request.status) === status;

function newerFirst([row]: Row, [other]: Row): number {
  const [ms, place] = orderOf(row);
  const [otherMs, otherPlace] = orderOf(other);
  return otherMs - ms || otherPlace - place;
}

/** The time in ms and the place among entries of that time. */
const orderOf = (id: string) => id.split('-').map(Number) as [ms: number, place: number];
