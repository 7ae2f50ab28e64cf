/** The list of articles: featured ones first, then newest first. */
import { graphql, type PageProps } from 'gatsby';
import { ArticleCard, type ArticleSummary } from '../components/blog/article';
import { headOf } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';

type Data = QueryData<Queries.BlogPageQuery>;

export default function BlogPage({ data }: PageProps<Data>) {
  const { title, lead } = data.contentBlog;
  return (
    <>
      <PageIntro heading={title} lead={lead} />
      {data.allMdx.nodes.map(({ frontmatter }) => (
        <ArticleCard key={frontmatter.path} {...(frontmatter as ArticleSummary)} />
      ))}
    </>
  );
}

export const Head = headOf((data: Data) => data.contentBlog);

export const query = graphql`
  query BlogPage($id: String!) {
    contentBlog(id: { eq: $id }) { ...PageMeta lead }
    allMdx(
      filter: { frontmatter: { template: { eq: "article" } } }
      sort: [{ frontmatter: { featured: DESC } }, { frontmatter: { publishedDate: DESC } }]
    ) {
      nodes { frontmatter { path title description ...Article } }
    }
  }

  fragment Article on Frontmatter {
    category readingTime featured thumbnail author { name } tags
    publishedDate(formatString: "YYYY-MM-DD")
    published: publishedDate(formatString: "D MMMM YYYY")
    lastUpdated(formatString: "YYYY-MM-DD")
    updated: lastUpdated(formatString: "D MMMM YYYY")
  }
`;
