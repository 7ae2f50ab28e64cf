/**
 * A documentation page of running text. No MDX template may import from react: the plugin's loader would take
 * it for a template that declares React.
 */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { CloneCommand } from '../components/code/clone-command';
import { ApiAdditions, ApiVersions } from '../components/docs/api-changelog';
import { DocsHead } from '../components/docs/docs-layout';
import { DocsText } from '../components/docs/docs-text';
import { ModelCard } from '../components/docs/model-card';
import {
  BoundsTable,
  ConfigurationTable,
  DownloadsTable,
  TestImagesTable,
} from '../components/docs/service-tables';
import { useMdxToc } from '../components/docs/toc';
import { SequenceDrawing } from '../components/drawings/sequence-drawing';

type Data = QueryData<Queries.DocsPageQuery>;

const COMPONENTS = {
  ApiAdditions,
  ApiVersions,
  BoundsTable,
  CloneCommand,
  ConfigurationTable,
  DownloadsTable,
  ModelCard,
  SequenceDrawing,
  TestImagesTable,
};

export default function DocsPage({ data, children }: PageProps<Data>) {
  const { tableOfContents, ...page } = data.mdx;
  return (
    <DocsText {...page} toc={useMdxToc(tableOfContents)} extra={COMPONENTS}>
      {children}
    </DocsText>
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
