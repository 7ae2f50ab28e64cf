/** A legal text with table of contents and effective date. */
import { graphql, Link, type PageProps } from 'gatsby';
import { Contents } from '../components/legal/contents';
import * as columns from '../components/legal/contents.module.css';
import * as styles from '../components/legal/legal.module.css';
import { Mdx } from '../components/mdx/mdx';
import { headOf } from '../components/page-head/page-head';
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
      <div className={columns.columns}>
        <Contents label={contents} toc={tableOfContents} />
        <div className={`prose ${columns.text} ${styles.legal}`}>
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
        </div>
      </div>
    </article>
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
