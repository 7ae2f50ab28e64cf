/** An article of the blog. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { ArticleHead, type ArticleSummary, Tags, useBlog } from '../components/blog/article';
import * as styles from '../components/blog/article.module.css';
import { OverageTable, PlanTable } from '../components/blog/plan-tables';
import { Contents } from '../components/legal/contents';
import * as columns from '../components/legal/contents.module.css';
import { Mdx } from '../components/mdx/mdx';
import { PageHead } from '../components/page-head/page-head';
import { BackLink } from '../components/ui/back-link';

type Data = QueryData<Queries.ArticlePageQuery>;

export default function ArticlePage({ data, children }: PageProps<Data>) {
  const { tableOfContents } = data.mdx;
  const frontmatter = data.mdx.frontmatter as ArticleSummary;
  const { labels, path } = useBlog();
  return (
    <article className={styles.page}>
      <BackLink to={path} label={labels.back} />
      <ArticleHead {...frontmatter} />
      <div className={columns.columns}>
        <Contents label={labels.contents} toc={tableOfContents} />
        <div className={columns.text}>
          <div className="prose">
            <Mdx extra={{ PlanTable, OverageTable }}>{children}</Mdx>
          </div>
          <footer className={styles.end}>
            <BackLink to={path} label={labels.back} />
            <Tags {...frontmatter} />
          </footer>
        </div>
      </div>
    </article>
  );
}

export const Head = ({ data, location }: HeadProps<Data>) => (
  <PageHead
    path={location.pathname}
    frontmatter={data.mdx.frontmatter}
    article={data.mdx.frontmatter as ArticleSummary}
  />
);

export const query = graphql`
  query ArticlePage($id: String!) {
    mdx(id: { eq: $id }) { frontmatter { path ...TextMeta ...Article } tableOfContents(maxDepth: 2) }
  }
`;
