/** Pages of lists that are in the order of a time, newest first, and of the id among entries of the same time. */
import { ApiError } from '../errors';
import { wrongValue } from '../errors/expectation';

/** A page of a long list: at most `limit` entries after `after`, the `next` of the previous page. */
export interface PageOf {
  readonly limit: number;
  readonly after?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly next?: string;
}

/** A page as the body of a response, which names its entries. */
export const namedPage = <T>(
  name: string,
  { items, next }: Page<T>,
  view: (item: T) => unknown = (item) => item,
) => ({
  [name]: items.map(view),
  ...(next !== undefined && { next }),
});

/** The place of an entry in its list. It stays valid when other entries, or the entry itself, are removed. */
export interface Position {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly id: string;
}

/** A range of time in milliseconds since 1970. */
export interface TimeRange {
  readonly from?: number;
  /** Not part of the range. */
  readonly to?: number;
}

const form = /^(\d{1,15})\.([\w-]{1,64})$/;

/** A position as text, which continues a list after that position. */
export const cursorOf = ({ at, id }: Position) => `${at}.${id}`;

/** @throws ApiError INVALID_PARAMETERS if the text is not a cursor */
export function positionOf(cursor: string): Position {
  const [, at, id] = form.exec(cursor) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw new ApiError('INVALID_PARAMETERS', wrongValue('cursor', 'cursor'));
}

/** Whether an entry is newer than another, or the first of two of the same time. */
export const isBefore = (position: Position, other: Position) =>
  position.at > other.at || (position.at === other.at && position.id > other.id);

/** A page of a short list, which the caller has as a whole. */
export function pageOf<T extends { readonly id: string; readonly createdAt: number }>(
  all: readonly T[],
  { limit, after }: PageOf,
): Page<T> {
  const place = ({ id, createdAt }: T): Position => ({ at: createdAt, id });
  const last = after === undefined ? undefined : positionOf(after);
  const rest = all
    .filter((item) => last === undefined || isBefore(last, place(item)))
    .sort((a, b) => (isBefore(place(a), place(b)) ? -1 : 1));
  const items = rest.slice(0, limit);
  const end = items.at(-1);
  return { items, ...(rest.length > limit && end && { next: cursorOf(place(end)) }) };
}
