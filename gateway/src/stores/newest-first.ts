import {
  cursorOf,
  isBefore,
  type Page,
  type PageOf,
  type Position,
  positionOf,
  type TimeRange,
} from '../services/pages';
import { type RedisClient, unavailable } from './redis';

/** Entries read at once: more than Redis, whose clock gives the times, can add in a millisecond. */
const chunk = 100;
/** Limit on the entries to examine for one page. */
const maxExamined = 1_000;

/**
 * One page of a sorted set of ids with times as scores.
 * @param select the entries to show, at the places of their ids; undefined for all others.
 */
export async function newestFirst<T>(
  redis: RedisClient,
  key: string,
  { limit, after, ...range }: PageOf & TimeRange,
  select: (ids: readonly string[]) => Promise<readonly (T | undefined)[]>,
): Promise<Page<T>> {
  const items: T[] = [];
  let last = after === undefined ? undefined : positionOf(after);
  for (let examined = 0; examined < maxExamined; examined += chunk) {
    const { rows, isEnd } = await readAfter(redis, key, last, range);
    const selected = rows.length > 0 ? await select(rows.map(({ id }) => id)) : [];
    for (const [at, row] of rows.entries()) {
      const item = selected[at];
      if (item !== undefined && items.length === limit) return { items, ...nextOf(last) };
      if (item !== undefined) items.push(item);
      last = row;
    }
    if (isEnd) return { items };
  }
  return { items, ...nextOf(last) };
}

const nextOf = (last: Position | undefined) => last && { next: cursorOf(last) };

async function readAfter(
  redis: RedisClient,
  key: string,
  last: Position | undefined,
  { from = -Infinity, to = Infinity }: TimeRange,
) {
  // Redis takes the word Infinity as well.
  const newest = Math.min(last?.at ?? Infinity, to - 1);
  const texts = await redis
    .zrange(key, String(newest), String(from), 'BYSCORE', 'REV', 'LIMIT', 0, chunk, 'WITHSCORES')
    .catch(unavailable);
  const rows: Position[] = [];
  for (let at = 0; at < texts.length; at += 2) {
    const row = { id: texts[at] as string, at: Number(texts[at + 1]) };
    if (last === undefined || isBefore(last, row)) rows.push(row);
  }
  return { rows, isEnd: texts.length < 2 * chunk };
}
