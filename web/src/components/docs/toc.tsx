import { useEffect, useMemo, useState } from 'react';
import * as styles from './toc.module.css';
import { useDocs } from './use-docs';

export interface TocEntry {
  id: string;
  title: string;
  /** Heading level, 2 or 3. */
  level: number;
  /** The origin of its title, if the text of the page does not have it. */
  source?: 'contract' | 'changelog';
}

/** The page's headings with a mark at the current one. */
export function Toc({ entries }: { entries: TocEntry[] }) {
  const { toc } = useDocs();
  const active = useActiveHeading(entries);
  return (
    <nav className={styles.toc} aria-label={toc}>
      <p className={styles.heading} aria-hidden="true">
        {toc}
      </p>
      <ul className={styles.entries}>
        {entries.map(({ id, title, level, source }) => (
          <li key={id} data-level={level} data-source={source}>
            <a href={`#${id}`} aria-current={id === active ? 'location' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Headings within headings, made by gatsby-plugin-mdx. */
interface MdxToc {
  url?: string;
  title?: string;
  items?: MdxToc[];
}

export const useMdxToc = (toc: Record<string, unknown> | null): TocEntry[] =>
  useMemo(() => entriesOf((toc ?? {}) as MdxToc, 2), [toc]);

function entriesOf({ items = [] }: MdxToc, level: number): TocEntry[] {
  return items.flatMap((item) => [
    ...(item.url && item.title ? [{ id: item.url.slice(1), title: item.title, level }] : []),
    ...entriesOf(item, level + 1),
  ]);
}

/** The part of the window, from the top, in which a heading counts as reached. */
const UPPER_PART = 0.35;

/** The heading that the reader reached last; undefined before the first one and in the built HTML. */
function useActiveHeading(headings: readonly { id: string }[]): string | undefined {
  const [active, setActive] = useState<string>();
  useEffect(() => {
    const update = () => {
      const line = window.innerHeight * UPPER_PART;
      const reached = headings.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < line;
      });
      setActive(reached[reached.length - 1]?.id);
    };
    update();
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, [headings]);
  return active;
}
