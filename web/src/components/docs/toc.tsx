import * as styles from './toc.module.css';
import { useActiveHeading } from './use-active-heading';
import { useDocs } from './use-docs';

export interface TocEntry {
  /** The heading's id. */
  id: string;
  title: string;
  /** Heading level, 2 or 3. */
  level: number;
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
        {entries.map(({ id, title, level }) => (
          <li key={id} data-level={level}>
            <a href={`#${id}`} aria-current={id === active ? 'location' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
