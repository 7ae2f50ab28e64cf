/** A comparison with other products: facts in tables, each linked to its source, with the date of the last check. */
import { graphql, type PageProps } from 'gatsby';
import * as columns from '../components/legal/contents.module.css';
import { TextPage } from '../components/legal/text-page';
import { Mdx } from '../components/mdx/mdx';
import { headOf } from '../components/page-head/page-head';

type Data = QueryData<Queries.ComparisonPageQuery>;

export default function ComparisonPage({ data, children }: PageProps<Data>) {
  const { frontmatter, tableOfContents } = data.mdx;
  return (
    <TextPage
      frontmatter={frontmatter}
      toc={tableOfContents}
      labels={data.contentLegal}
      column={String(columns.wide)}
    >
      <Mdx>{children}</Mdx>
    </TextPage>
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
