/** The rows of the log as new requests arrive: those that are shown, and those that wait while somebody reads. */
import type { LoggedRequest } from '@presenza/contract/console/types.d.ts';

interface Page {
  readonly requests: readonly LoggedRequest[];
  readonly next?: string;
}

export interface Shown {
  /** The page that began the list. */
  readonly page: Page;
  readonly requests: readonly LoggedRequest[];
  /** Where the older ones begin. */
  readonly next: string | undefined;
  /** New requests that are not shown yet. */
  readonly held: readonly LoggedRequest[];
  /** Whether there are more between the held requests and the shown ones, so that they replace them. */
  readonly isGap: boolean;
  /** Where the older ones begin after a gap. */
  readonly heldNext: string | undefined;
}

/** The rows that a page keeps. Older ones are a page away. */
export const mostRows = 200;

export const shownOf = (page: Page): Shown => ({
  page,
  requests: page.requests,
  next: page.next,
  held: [],
  isGap: false,
  heldNext: undefined,
});

/** Keeps new requests until they are shown. A page with `next` follows a gap: it lacks some of the requests before it. */
export function hold(shown: Shown, { requests, next }: Page): Shown {
  if (next !== undefined) return { ...shown, held: requests, isGap: true, heldNext: next };
  const known = new Set([...shown.held, ...shown.requests].map(({ entryId }) => entryId));
  const added = requests.filter(({ entryId }) => !known.has(entryId));
  if (added.length === 0) return shown;
  const held = [...added, ...shown.held];
  if (held.length <= mostRows) return { ...shown, held };
  return { ...shown, held: held.slice(0, mostRows), isGap: true, heldNext: held[mostRows - 1]?.entryId };
}

export function showHeld(shown: Shown): Shown {
  const { held, isGap, heldNext } = shown;
  if (held.length === 0 && !isGap) return shown;
  const rows = isGap ? held : [...held, ...shown.requests];
  const requests = rows.slice(0, mostRows);
  const next = rows.length > mostRows ? requests.at(-1)?.entryId : isGap ? heldNext : shown.next;
  return { ...shownOf(shown.page), requests, next };
}

/** Shows new requests at once, with those that waited. */
export const take = (shown: Shown, page: Page): Shown => showHeld(hold(shown, page));
