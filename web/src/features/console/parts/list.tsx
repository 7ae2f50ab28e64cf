import type { ReactNode } from 'react';
import { type Data, type ReadParams, type ReadPath, type ShownQuery, useData } from '../state/queries';
import { Loaded } from './loaded';
import { Pager, type Place, usePlace } from './pager';

/** Paths of lists that the API returns in pages. */
type ListPath = {
  [Path in ReadPath]: Data<Path> extends { readonly next?: string } ? Path : never;
}[ReadPath];

/** The name of the list in the response, beside which there are places in it. */
type ListName<Path extends ListPath> = Exclude<keyof Data<Path>, 'next' | 'newest'>;

interface ListPageData<Items> {
  readonly items: Items;
  readonly next: string | undefined;
}

export interface List<Items> extends ShownQuery<ListPageData<Items>> {
  readonly place: Place;
}

interface ListOptions<Path extends ListPath> {
  readonly name: ListName<Path>;
  readonly params: ReadParams<Path>;
  /** Entries on a page. */
  readonly limit?: number;
}

/** A list that the API returns in pages. Another path or other parameters begin at its first page. */
export function useList<Path extends ListPath>(
  path: Path,
  { name, params, limit = 50 }: ListOptions<Path>,
): List<Data<Path>[ListName<Path>]> {
  const place = usePlace(JSON.stringify([path, params]));
  const query = { ...params.query, limit, after: place.after };
  const { data, ...page } = useData(path, { ...params, query } as ReadParams<Path>);
  const next = (data as { readonly next?: string } | undefined)?.next;
  return { ...page, place, data: data && { items: data[name], next } };
}

interface ListProps<Items> {
  list: List<Items>;
  /** In place of an empty list. */
  none: ReactNode;
  children(items: Items): ReactNode;
}

/** A page of a list, with buttons that lead to the others. */
export const ListPage = <Items extends readonly unknown[]>({ list, none, children }: ListProps<Items>) => (
  <Loaded query={list}>
    {({ items, next }) => (
      <>
        {items.length === 0 ? none : children(items)}
        <Pager place={list.place} next={next} />
      </>
    )}
  </Loaded>
);
