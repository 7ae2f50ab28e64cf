import { graphql, Link } from 'gatsby';
import { fill } from '../../fill';
import { editAddress } from '../../repository.mjs';
import { useSite } from '../use-site';
import * as styles from './docs-footer.module.css';
import { pagesOf, useDocs } from './use-docs';

interface DocsFooterProps {
  current: string;
  source: Queries.SourceFragment;
}

/** The date of the last change, the described versions, an edit link, and links to the previous and next page. */
export function DocsFooter({ current, source }: DocsFooterProps) {
  const { groups, label, previous, next, lastUpdated, edit } = useDocs();
  const { repositoryUrl } = useSite();
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
        <Versions />
        {repositoryUrl && <a href={editAddress(repositoryUrl, source.path)}>{edit}</a>}
      </p>
      <nav className={styles.neighbors} aria-label={`${previous}, ${next}: ${label}`}>
        {before && (
          <Link className={styles.prev} rel="prev" to={before.to}>
            <span>{previous}</span> {before.label}
          </Link>
        )}
        {after && (
          <Link className={styles.next} rel="next" to={after.to}>
            <span>{next}</span> {after.label}
          </Link>
        )}
      </nav>
    </footer>
  );
}

/** The versions that the documentation describes, linked to what is new in them. */
function Versions() {
  const { versions: texts, described } = useDocs();
  const product = fill(texts.product, { brand: useSite().brand, version: described.product });
  return (
    <span data-source="versions">
      <Link to={`/changelog#${described.anchor}`}>
        {described.isReleased ? product : fill(texts.unreleased, { product })}
      </Link>
      {' · '}
      <Link to="/docs/api-changelog">{fill(texts.api, { version: described.api })}</Link>
    </span>
  );
}

export const query = graphql`
  fragment Source on PageSource {
    path lastUpdated date: lastUpdated(formatString: "D MMMM YYYY")
  }
`;
