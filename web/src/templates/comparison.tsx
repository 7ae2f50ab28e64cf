/** A comparison with other products: facts in tables, each linked to its source, with the date of the last check. */
import { graphql, type PageProps } from 'gatsby';
import { Contents } from '../components/legal/contents';
import * as columns from '../components/legal/contents.module.css';
import * as styles from '../components/legal/legal.module.css';
import { Mdx } from '../components/mdx/mdx';
import { headOf } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';

type Data = QueryData<Queries.ComparisonPageQuery>;

export default function ComparisonPage({ data, children }: PageProps<Data>) {
  const { frontmatter, tableOfContents } = data.mdx;
  const { contents, lastUpdated } = data.contentLegal;
  return (
    <article className={styles.page}>
      <PageIntro heading={frontmatter.title} lead={frontmatter.description}>
        <p className={styles.date}>
          {lastUpdated} <time dateTime={String(frontmatter.lastUpdated)}>{frontmatter.date}</time>
        </p>
      </PageIntro>
      <div className={columns.columns}>
        <Contents label={contents} toc={tableOfContents} />
        <div className={`prose ${columns.wide}`}>
          <Mdx>{children}</Mdx>
        </div>
      </div>
    </article>
  );
}

export const Head = headOf((data: Data) => data.mdx.frontmatter);

export const query = graphql`
  query ComparisonPage($id: String!) {
    mdx(id: { eq: $id }) {
      frontmatter {
        path ...TextMeta lastUpdated(formatString: "YYYY-MM-DD")
        date: lastUpdated(formatString: "MMMM D, YYYY")
      }
      tableOfContents(maxDepth: 2)
    }
    contentLegal { contents lastUpdated }
  }
`;
