/** The filter of the log, as the address of the page and the API have it. */
import type { paths } from '@presenza/contract/console/types.d.ts';

type Query = NonNullable<paths['/accounts/{account}/request-export']['get']['parameters']['query']>;

const hourMs = 3_600_000;
/** How long ago the requests of a range may be. The log keeps no others than those of the week. */
const ranges = { hour: hourMs, day: 24 * hourMs } as const;

export type Range = keyof typeof ranges | 'week' | 'custom';

/** The names of the parameters, which are the same in the address. */
export const filterNames = ['requestId', 'path', 'status', 'key', 'range', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];
export type FilterValues = Readonly<Record<FilterName, string>>;

export const valuesOf = (query: URLSearchParams): FilterValues =>
  Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? ''])) as FilterValues;

/** @param now when the person chose the filter */
export function queryOf({ requestId, path, status, key, range, ...times }: FilterValues, now: number) {
  const outcome = status === 'failed' || status === 'passed';
  const isRange = Object.hasOwn(ranges, range);
  const from = isRange ? now - ranges[range as keyof typeof ranges] : parsed(times.from);
  const to = isRange ? undefined : parsed(times.to);
  const query: Query = {
    ...(requestId && { requestId }),
    ...(path && { path }),
    ...(key && { key }),
    ...(outcome && { failed: status === 'failed' }),
    ...(!outcome && /^[1-5](?:\d\d|xx)$/.test(status) && { status }),
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(to).toISOString() }),
  };
  return query;
}

/** Addresses may have any text. */
function parsed(time: string): number | undefined {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? undefined : ms;
}

/** A time as the field for local times has it. */
export function localTime(time: string): string {
  const ms = parsed(time);
  if (ms === undefined) return '';
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
