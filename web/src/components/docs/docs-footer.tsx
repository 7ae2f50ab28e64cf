import { graphql, Link } from 'gatsby';
import * as styles from './docs-footer.module.css';
import { pagesOf, useDocs } from './use-docs';

interface DocsFooterProps {
  current: string;
  source: Queries.SourceFragment;
}

/** The date of the last change, an edit link, and links to the previous and next page. */
export function DocsFooter({ current, source }: DocsFooterProps) {
  const { groups, label, previous, next, lastUpdated, edit, repository } = useDocs();
  const pages = pagesOf(groups);
  const position = pages.findIndex(({ to }) => to === current);
  const before = pages[position - 1];
  const after = position < 0 ? undefined : pages[position + 1];
  return (
    <footer className={styles.footer}>
      <p className={styles.source}>
        <span>
          {lastUpdated} <time dateTime={source.lastUpdated.slice(0, 10)}>{source.date}</time>
        </span>
        {repository && <a href={`${repository}/edit/main/${source.path}`}>{edit}</a>}
      </p>
      <nav className={styles.neighbors} aria-label={`${previous}, ${next}: ${label}`}>
        {before && <Neighbor rel="prev" direction={previous} {...before} />}
        {after && <Neighbor rel="next" direction={next} {...after} />}
      </nav>
    </footer>
  );
}

interface NeighborProps {
  rel: 'prev' | 'next';
  direction: string;
  label: string;
  to: string;
}

function Neighbor({ rel, direction, label, to }: NeighborProps) {
  return (
    <Link className={rel === 'prev' ? styles.prev : styles.next} rel={rel} to={to}>
      <span>{direction}</span> {label}
    </Link>
  );
}

export const query = graphql`
  fragment Source on PageSource {
    path lastUpdated date: lastUpdated(formatString: "D MMMM YYYY")
  }
`;
