/** The contents of a page of the reference: its own index, and the links of the first page to it. */
import { Link } from 'gatsby';
import { Fragment } from 'react';
import * as styles from './contents.module.css';
import { type ReferenceData, usePart, useReference } from './reference-data';

type Part = ReferenceData['allReferencePage']['nodes'][number];

/**
 * The first page was once the whole reference. Its list has the anchors of that time, so that an old address finds the
 * link to its new place. useMovedAnchors follows that link.
 */
export function Contents({ slug }: { slug: string }) {
  const { path, title, description, contents } = usePart(slug);
  const isSection = useReference().sections.some(({ id }) => id === slug);
  return (
    <div className={styles.part}>
      <p>
        <Link className={styles.title} id={isSection ? undefined : slug} to={path}>
          {title}
        </Link>
        <span className={styles.description}>{description}</span>
      </p>
      <Entries entries={contents} path={path} />
    </div>
  );
}

/** The index of a resource's page. */
export function PageIndex({ part }: { part: Part }) {
  const { onThisPage } = useReference().contentReference;
  const entries = part.contents.filter(({ kind }) => kind !== 'error' && kind !== 'event');
  if (entries.length < 2) return null;
  return (
    <nav className={styles.part} aria-label={onThisPage}>
      <Entries entries={entries} />
    </nav>
  );
}

interface EntriesProps {
  entries: Part['contents'];
  /** Path of the page that the entries are on, unless it is the current page. */
  path?: string;
}

function Entries({ entries, path }: EntriesProps) {
  return (
    <ul className={styles.entries}>
      {entries.map(({ anchor, title, kind, endpoint }) => (
        <li key={anchor} data-source={kind === 'heading' ? undefined : 'contract'}>
          {path ? (
            <Link id={anchor} to={`${path}#${anchor}`}>
              {title}
            </Link>
          ) : (
            <a href={`#${anchor}`}>{title}</a>
          )}
          {endpoint && (
            <Fragment>
              {' '}
              <code>{endpoint}</code>
            </Fragment>
          )}
        </li>
      ))}
    </ul>
  );
}
