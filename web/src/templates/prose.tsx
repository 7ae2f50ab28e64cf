/** A page that is all running text. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { type Frontmatter, PageHead } from '../components/page-head/page-head';
import * as styles from '../components/prose/prose.module.css';

interface ProseData {
  mdx: { frontmatter: Frontmatter };
}

export default function ProsePage({ children }: PageProps<ProseData>) {
  return <article className={`prose ${styles.page}`}>{children}</article>;
}

export const Head = ({ data, location }: HeadProps<ProseData>) => (
  <PageHead path={location.pathname} frontmatter={data.mdx.frontmatter} />
);

export const query = graphql`
  query ProsePage($id: String!) {
    mdx(id: { eq: $id }) {
      frontmatter {
        title
        description
        keywords
        noindex
      }
    }
  }
`;
