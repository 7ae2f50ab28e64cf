/** The releases, with a table of contents. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Changelog, useChangelogToc } from '../components/docs/changelog';
import { DocsHead } from '../components/docs/docs-layout';
import { DocsText } from '../components/docs/docs-text';

type Data = QueryData<Queries.ChangelogPageQuery>;

const COMPONENTS = { Changelog };

export default function ChangelogPage({ data, children }: PageProps<Data>) {
  return (
    <DocsText {...data.mdx} toc={useChangelogToc()} extra={COMPONENTS}>
      {children}
    </DocsText>
  );
}

export const Head = ({ data }: HeadProps<Data>) => (
  <DocsHead path={data.mdx.frontmatter.path} frontmatter={data.mdx.frontmatter} />
);

export const query = graphql`
  query ChangelogPage($id: String!) {
    mdx(id: { eq: $id }) {
      frontmatter { path ...TextMeta }
      source { ...Source }
    }
  }
`;
