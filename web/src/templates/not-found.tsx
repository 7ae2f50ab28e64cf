/** The page for addresses that lead nowhere: what to do about it. */
import { graphql, type HeadProps, Link, type PageProps } from 'gatsby';
import { EmptyFrame } from '../components/drawings/empty-frame';
import * as styles from '../components/not-found/not-found.module.css';
import { type Frontmatter, PageHead } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';
import type { Link as NavLink } from '../components/use-site';
import { SearchButton } from '../features/search/search-button';

interface NotFoundData {
  contentNotFound: Frontmatter & { heading: string; lead: string; links: (NavLink & { text: string })[] };
}

export default function NotFoundPage({ data }: PageProps<NotFoundData>) {
  const { heading, lead, links } = data.contentNotFound;
  return (
    <div className={styles.page}>
      <PageIntro heading={heading} lead={lead}>
        <SearchButton wide />
      </PageIntro>
      <div className={styles.drawing}>
        <EmptyFrame />
      </div>
      <ul className={styles.links}>
        {links.map(({ label, to, text }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

export const Head = ({ data, location }: HeadProps<NotFoundData>) => (
  <PageHead path={location.pathname} frontmatter={data.contentNotFound} />
);

export const query = graphql`
  query NotFoundPage($id: String!) {
    contentNotFound(id: { eq: $id }) { ...PageMeta heading lead links { label to text } }
  }
`;
