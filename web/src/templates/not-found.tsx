/** The 404 page, with links to continue. */
import { graphql, Link, type PageProps } from 'gatsby';
import { EmptyFrame } from '../components/drawings/page-drawings';
import * as styles from '../components/not-found/not-found.module.css';
import { headOf } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';
import { SearchButton } from '../features/search/search-button';

type Data = QueryData<Queries.NotFoundPageQuery>;

export default function NotFoundPage({ data }: PageProps<Data>) {
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

export const Head = headOf((data: Data) => data.contentNotFound);

export const query = graphql`
  query NotFoundPage($id: String!) {
    contentNotFound(id: { eq: $id }) { ...PageMeta heading lead links { label to text } }
  }
`;
