/** A legal text with table of contents and effective date. */
import { graphql, Link, type PageProps } from 'gatsby';
import * as columns from '../components/legal/contents.module.css';
import * as styles from '../components/legal/legal.module.css';
import { TextPage } from '../components/legal/text-page';
import { Mdx } from '../components/mdx/mdx';
import { headOf } from '../components/page-head/page-head';

type Data = QueryData<Queries.LegalPageQuery>;

export default function LegalPage({ data, children }: PageProps<Data>) {
  const { frontmatter, tableOfContents } = data.mdx;
  const { others, links } = data.contentLegal;
  return (
    <TextPage
      frontmatter={frontmatter}
      toc={tableOfContents}
      labels={data.contentLegal}
      column={`${columns.text} ${styles.legal}`}
    >
      <Mdx>{children}</Mdx>
      <p className={styles.others}>
        {others}
        {links
          .filter(({ to }) => to !== frontmatter.path)
          .map(({ to, label }) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
      </p>
    </TextPage>
  );
}

export const Head = headOf((data: Data) => data.mdx.frontmatter);

export const query = graphql`
  query LegalPage($id: String!) {
    mdx(id: { eq: $id }) {
      frontmatter {
        path ...TextMeta lastUpdated(formatString: "YYYY-MM-DD")
        date: lastUpdated(formatString: "M/D/YYYY")
      }
      tableOfContents(maxDepth: 2)
    }
    contentLegal { contents lastUpdated others links { label to } }
  }
`;
