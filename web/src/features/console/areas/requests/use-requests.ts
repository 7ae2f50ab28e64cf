/** The page of the log that a filter selects, and the requests that follow while it is open. */
import type { paths } from '@presenza/contract/console/types.d.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { usePlace } from '../../parts/pager';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { type Data, useData } from '../../state/queries';
import { hold, type Shown, showHeld, shownOf, take } from './follow';
import type { queryOf } from './request-filter';

const path = '/accounts/{account}/requests' satisfies keyof paths;
const limit = 50;
const pollMs = 3_000;
/** Before the first entry of every log. */
const beginning = '1-0';

type Page = Data<typeof path>;
type Query = ReturnType<typeof queryOf>;

interface Followed {
  /** Whether new requests appear. */
  isFollowing: boolean;
  /** Whether somebody reads the rows, which must then stay where they are. */
  isRead(): boolean;
}

export function useRequests(filter: Query, { isFollowing, isRead }: Followed) {
  const { api, account } = useAccount();
  const accountPath = { account: account.accountId };
  const place = usePlace(JSON.stringify(filter));
  const page = useData(path, { path: accountPath, query: { ...filter, limit, after: place.after } });
  const [shown, setShown] = useState<Shown>();
  const current = page.data && shown?.page !== page.data ? shownOf(page.data) : shown;
  if (current !== shown) setShown(current);
  // Each poll continues after the last one.
  const since = useRef<string>(undefined);
  const source = useRef<Page>(undefined);
  if (source.current !== page.data) {
    source.current = page.data;
    since.current = page.data?.newest ?? beginning;
  }
  const later = useQuery<Page>({
    queryKey: [path, 'later', accountPath, filter],
    enabled: isFollowing && place.after === undefined && page.data !== undefined,
    refetchInterval: pollMs,
    queryFn: async () => {
      const query = { ...filter, limit, since: since.current ?? beginning };
      const begun = source.current;
      const data = await dataOf(api.GET(path, { params: { path: accountPath, query } }));
      // Another page may have begun the list anew meanwhile.
      if (source.current === begun) since.current = data.newest ?? since.current;
      return data;
    },
  });
  const { data: added, dataUpdatedAt } = later;
  const readNow = useRef(isRead);
  readNow.current = isRead;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each poll, also one without requests, held ones may appear
  useEffect(() => {
    if (!added) return;
    // The search ended before it reached the requests that are shown, so the list begins anew.
    if (added.next !== undefined && added.requests.length < limit) return void page.refetch();
    const put = readNow.current() ? hold : take;
    setShown((before) => before && put(before, added));
  }, [added, dataUpdatedAt]);
  return {
    query: page,
    requests: page.data && (current?.requests ?? []),
    held: current?.held ?? [],
    isGap: current?.isGap === true,
    next: current?.next,
    place,
    /** Shows the requests that wait. */
    showHeld: () => setShown((before) => before && showHeld(before)),
  };
}
