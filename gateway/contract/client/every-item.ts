/** Iterates over the items of a list, page by page. */

interface Page {
  readonly data: { readonly items: readonly unknown[]; readonly nextCursor?: string };
}

/**
 * The iterator is written by hand, because k6 has no async generators.
 * @param read reads the page that begins at a cursor, or the first page. It runs when its first item is needed.
 */
export function everyItem(
  read: (cursor: string | undefined) => Promise<unknown>,
): AsyncIterableIterator<unknown> {
  let items: readonly unknown[] = [];
  let position = 0;
  let cursor: string | undefined;
  let isLast = false;

  return {
    async next() {
      // A page may be empty even if more follow.
      while (position === items.length && !isLast) {
        const { data } = (await read(cursor)) as Page;
        items = data.items;
        position = 0;
        cursor = data.nextCursor;
        isLast = cursor === undefined;
      }
      if (position === items.length) return { done: true, value: undefined };
      return { done: false, value: items[position++] };
    },
    async return() {
      [items, position, isLast] = [[], 0, true];
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
