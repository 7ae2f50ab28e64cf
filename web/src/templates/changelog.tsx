/** The releases, with a table of contents. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Changelog, useChangelogToc } from '../components/docs/changelog';
import { DocsHead, DocsLayout } from '../components/docs/docs-layout';
import { PageMarkdown } from '../components/docs/page-markdown';
import { Mdx } from '../components/mdx/mdx';
import { PageIntro } from '../components/ui/page-intro';

type Data = QueryData<Queries.ChangelogPageQuery>;

const COMPONENTS = { Changelog };

export default function ChangelogPage({ data, children }: PageProps<Data>) {
  const { frontmatter, source } = data.mdx;
  return (
    <DocsLayout current={frontmatter.path} toc={useChangelogToc()} source={source}>
      <article>
        <PageIntro heading={frontmatter.title} lead={frontmatter.description}>
          <PageMarkdown of={frontmatter.path} />
        </PageIntro>
        <div className="prose">
          <Mdx extra={COMPONENTS}>{children}</Mdx>
        </div>
      </article>
    </DocsLayout>
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
