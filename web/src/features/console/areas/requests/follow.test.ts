import type { LoggedRequest } from '@presenza/contract/console/types.d.ts';
import { hold, mostRows, type Shown, showHeld, shownOf, take } from './follow';

const request = (place: number) => ({ entryId: `${place}-0` }) as LoggedRequest;
/** Newest first. */
const requests = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => request(newest - index));
const ids = ({ requests: rows }: Pick<Shown, 'requests'>) => rows.map(({ entryId }) => parseInt(entryId, 10));

test('new requests appear above the others, each once', () => {
  const shown = shownOf({ requests: requests(3, 1), next: '1-0' });
  const later = take(shown, { requests: requests(5, 3) });
  expect(ids(later)).toEqual([5, 4, 3, 2, 1]);
  expect(later.next).toBe('1-0');
  expect(take(later, { requests: [] })).toBe(later);
});

test('held requests wait in their order, and change no row until they are shown', () => {
  const shown = shownOf({ requests: requests(1, 1) });
  const held = hold(hold(shown, { requests: requests(2, 2) }), { requests: requests(4, 3) });
  expect(ids(held)).toEqual([1]);
  expect(held.held).toHaveLength(3);
  expect(ids(showHeld(held))).toEqual([4, 3, 2, 1]);
  expect(ids(take(held, { requests: requests(5, 5) }))).toEqual([5, 4, 3, 2, 1]);
});

test('requests after a gap replace the others, and older ones follow them', () => {
  const shown = shownOf({ requests: requests(3, 1), next: '1-0' });
  const later = take(shown, { requests: requests(99, 98), next: '98-0' });
  expect(ids(later)).toEqual([99, 98]);
  expect(later.next).toBe('98-0');
});

test('a page that follows for hours keeps a bounded number of rows', () => {
  let shown = shownOf({ requests: requests(50, 1), next: '1-0' });
  for (let place = 51; place <= 1000; place++) shown = take(shown, { requests: requests(place, place) });
  expect(shown.requests).toHaveLength(mostRows);
  expect(shown.next).toBe(`${1001 - mostRows}-0`);
  for (let place = 1001; place <= 2000; place++) shown = hold(shown, { requests: requests(place, place) });
  expect(shown.held).toHaveLength(mostRows);
  const all = showHeld(shown);
  expect(ids(all)[0]).toBe(2000);
  expect([all.requests.length, all.next]).toEqual([mostRows, `${2001 - mostRows}-0`]);
});
