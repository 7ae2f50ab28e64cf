/** A legal text with table of contents and effective date. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Contents } from '../components/legal/contents';
import * as styles from '../components/legal/legal.module.css';
import { Others } from '../components/legal/others';
import { Mdx } from '../components/mdx/mdx';
import { PageHead } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';

type Data = QueryData<Queries.LegalPageQuery>;

export default function LegalPage({ data, children }: PageProps<Data>) {
  const { frontmatter, tableOfContents } = data.mdx;
  const { contents, lastUpdated, others, links } = data.contentLegal;
  return (
    <article className={styles.page}>
      <PageIntro heading={frontmatter.title} lead={frontmatter.description}>
        <p className={styles.date}>
          {lastUpdated} <time dateTime={String(frontmatter.lastUpdated)}>{frontmatter.date}</time>
        </p>
      </PageIntro>
      <div className={styles.columns}>
        <Contents label={contents} toc={tableOfContents} />
        <div className={`prose ${styles.text}`}>
          <Mdx>{children}</Mdx>
          <Others label={others} links={links.filter(({ to }) => to !== frontmatter.path)} />
        </div>
      </div>
    </article>
  );
}

export const Head = ({ data, location }: HeadProps<Data>) => (
  <PageHead path={location.pathname} frontmatter={data.mdx.frontmatter} />
);

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
