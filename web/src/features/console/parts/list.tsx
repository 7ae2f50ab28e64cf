import type { ReactNode } from 'react';
import { type Loaded as State, useData } from '../state/use-call';
import { Loaded } from './loaded';
import { Pages, type Place, usePlace } from './pages';

export interface List<T> extends State<{ readonly items: readonly T[]; readonly next: string | undefined }> {
  readonly place: Place;
}

/** A list that the API returns in pages. @param name of the list in its response @param filters that are empty do not apply */
export function useList<T>(
  path: string,
  name: string,
  filters: Readonly<Record<string, string>> = {},
  limit = 50,
): List<T> {
  const chosen = Object.entries(filters).filter(([, value]) => value !== '');
  const place = usePlace(`${path} ${chosen}`);
  const after = place.after === undefined ? [] : [['after', place.after]];
  const query = new URLSearchParams([['limit', String(limit)], ...chosen, ...after]);
  const { data, ...page } = useData<Readonly<Record<string, unknown>>>(`${path}?${query}`);
  return {
    ...{ place, ...page },
    data: data && { items: data[name] as readonly T[], next: data.next as string | undefined },
  };
}

interface ListProps<T> {
  of: List<T>;
  /** In place of an empty list. */
  none: ReactNode;
  children(items: readonly T[]): ReactNode;
}

/** A page of a list, with buttons that lead to the others. */
export const ListPage = <T,>({ of, none, children }: ListProps<T>) => (
  <Loaded of={of}>
    {({ items, next }) => (
      <>
        {items.length === 0 ? none : children(items)}
        <Pages place={of.place} next={next} />
      </>
    )}
  </Loaded>
);
