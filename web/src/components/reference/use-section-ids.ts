import { useMemo } from 'react';
import type { TocEntry } from '../docs/toc';

/** Ids of a page's sections, which start at headings of level 2. */
export const useSectionIds = (toc: readonly TocEntry[]): string[] =>
  useMemo(() => toc.filter(({ level }) => level === 2).map(({ id }) => id), [toc]);
