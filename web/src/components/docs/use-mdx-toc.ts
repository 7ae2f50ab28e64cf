import { useMemo } from 'react';
import type { TocEntry } from './toc';

/** Headings within headings, made by gatsby-plugin-mdx. */
interface MdxToc {
  url?: string;
  title?: string;
  items?: MdxToc[];
}

/** The headings of a page in their order. */
export const useMdxToc = (toc: Record<string, unknown> | null): TocEntry[] =>
  useMemo(() => entriesOf((toc ?? {}) as MdxToc, 2), [toc]);

function entriesOf({ items = [] }: MdxToc, level: number): TocEntry[] {
  return items.flatMap((item) => [
    ...(item.url && item.title ? [{ id: item.url.slice(1), title: item.title, level }] : []),
    ...entriesOf(item, level + 1),
  ]);
}
