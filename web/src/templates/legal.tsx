/** A legal text: numbered sections beside their table of contents, and the date it holds since. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Contents } from '../components/legal/contents';
import * as styles from '../components/legal/legal.module.css';
import { Others } from '../components/legal/others';
import { Mdx } from '../components/mdx/mdx';
import { type Frontmatter, PageHead } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';
import type { Link } from '../components/use-site';

interface LegalData {
  mdx: {
    frontmatter: Frontmatter & { path: string; lastUpdated: string; date: string };
    tableOfContents: { items: { url: string; title: string }[] };
  };
  contentLegal: { contents: string; lastUpdated: string; others: string; links: Link[] };
}

export default function LegalPage({ data, children }: PageProps<LegalData>) {
  const { frontmatter, tableOfContents } = data.mdx;
  const { contents, lastUpdated, others, links } = data.contentLegal;
  return (
    <article className={styles.page}>
      <PageIntro heading={frontmatter.title} lead={frontmatter.description}>
        <p className={styles.date}>
          {lastUpdated} <time dateTime={frontmatter.lastUpdated}>{frontmatter.date}</time>
        </p>
      </PageIntro>
      <div className={styles.columns}>
        <Contents label={contents} entries={tableOfContents.items} />
        <div className={`prose ${styles.text}`}>
          <Mdx>{children}</Mdx>
          <Others label={others} links={links.filter(({ to }) => to !== frontmatter.path)} />
        </div>
      </div>
    </article>
  );
}

export const Head = ({ data, location }: HeadProps<LegalData>) => (
  <PageHead path={location.pathname} frontmatter={data.mdx.frontmatter} />
);

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
