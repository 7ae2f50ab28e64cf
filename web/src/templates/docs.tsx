/**
 * A documentation page of running text. No MDX template may import from react: the plugin's loader would take
 * it for a template that declares React.
 */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { CloneCommand } from '../components/code/clone-command';
import { ApiAdditions, ApiVersions } from '../components/docs/api-changelog';
import { DocsHead, DocsLayout } from '../components/docs/docs-layout';
import { ModelCard } from '../components/docs/model-card';
import { PageMarkdown } from '../components/docs/page-markdown';
import { BoundsTable, ConfigurationTable, TestImagesTable } from '../components/docs/service-tables';
import { useMdxToc } from '../components/docs/toc';
import { SequenceDrawing } from '../components/drawings/sequence-drawing';
import { Mdx } from '../components/mdx/mdx';
import { PageIntro } from '../components/ui/page-intro';

type Data = QueryData<Queries.DocsPageQuery>;

const COMPONENTS = {
  ApiAdditions,
  ApiVersions,
  BoundsTable,
  CloneCommand,
  ConfigurationTable,
  ModelCard,
  SequenceDrawing,
  TestImagesTable,
};

export default function DocsPage({ data, children }: PageProps<Data>) {
  const { frontmatter, source, tableOfContents } = data.mdx;
  const toc = useMdxToc(tableOfContents);
  return (
    <DocsLayout current={frontmatter.path} toc={toc} source={source}>
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

export function Head({ data }: HeadProps<Data>) {
  const { frontmatter } = data.mdx;
  return <DocsHead path={frontmatter.path} frontmatter={frontmatter} />;
}

export const query = graphql`
  query DocsPage($id: String!) {
    mdx(id: { eq: $id }) {
      frontmatter { path ...TextMeta }
      tableOfContents(maxDepth: 3)
      source { ...Source }
    }
  }
`;
