/** The console: one page, whose script renders all addresses below /console. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Console } from '../features/console/console';
import type { Texts } from '../features/console/state/texts';

// The last import, as in the other templates: it determines the order of styles in webpack's single file.

import { PageHead } from '../components/page-head/page-head';

type Data = QueryData<Queries.ConsolePageQuery>;

export default function ConsolePage({ data }: PageProps<Data>) {
  const { nodes } = data.allContentConsole;
  return (
    <Console texts={Object.fromEntries(nodes.map(({ area, texts }) => [area, texts])) as unknown as Texts} />
  );
}

export const Head = ({ data, location }: HeadProps<Data>) => (
  <>
    <PageHead path={location.pathname} frontmatter={data.mdx.frontmatter} isCounted={false} />
    <meta name="referrer" content="no-referrer" />
  </>
);

export const query = graphql`
  query ConsolePage($id: String!) {
    mdx(id: { eq: $id }) { frontmatter { ...TextMeta } }
    allContentConsole { nodes { area texts } }
  }
`;
