/** The start page of the documentation: a card for each part, all pages, and the files for programs. */
import { graphql, type HeadProps, Link, type PageProps } from 'gatsby';
import { DocsHead } from '../components/docs/docs-layout';
import * as styles from '../components/docs/hub-cards.module.css';
import { FileList, PageGroups } from '../components/docs/hub-lists';
import { PageMarkdown } from '../components/docs/page-markdown';
import { Mdx } from '../components/mdx/mdx';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';

type Data = QueryData<Queries.DocsHubPageQuery>;

/** Icons of 48 by 48 units. */
const DRAWINGS: Record<string, string> = {
  start: 'M8 40V8M8 12h26l-5 7l5 7H8',
  reference: 'M18 12L6 24l12 12M30 12l12 12l-12 12M27 8l-6 32',
  web: 'M4 8h40v32H4zM4 16h40M9 12h.01M14 12h.01',
  flutter: 'M27 6L7 26l6 6L39 6zM27 24L17 34l10 10h12L29 34l10-10z',
  ios: 'M14 4h20v40H14zM21 9h6M22 39h4',
  android: 'M12 20h24v18H12zM12 20a12 12 0 0 1 24 0M16 10l-4-6M32 10l4-6M19 15h.01M29 15h.01',
};

/** Frontmatter of other pages lacks these parts. */
type HubFrontmatter = QueryData<Data['mdx']['frontmatter']>;

export default function DocsHubPage({ data, children }: PageProps<Data>) {
  const { path, title, description, cards, all, files, help } = data.mdx.frontmatter as HubFrontmatter;
  return (
    <>
      <PageIntro heading={title} lead={description}>
        <PageMarkdown path={path} />
      </PageIntro>
      <ul className={styles.cards}>
        {cards.map(({ title, text, to, drawing }) => (
          <li key={to} className={styles.card}>
            <svg className={styles.drawing} viewBox="0 0 48 48" aria-hidden="true">
              <path d={DRAWINGS[drawing]} />
            </svg>
            <h2 className={styles.title}>
              <Link className="card-link" to={to}>
                {title}
              </Link>
            </h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <Section heading={all.heading} lead={all.lead}>
        <PageGroups label={all.heading} />
      </Section>
      <Section heading={files.heading} lead={files.lead}>
        <FileList links={files.links} />
      </Section>
      <Section heading={help.heading} lead={help.lead}>
        <div className="prose">
          <Mdx>{children}</Mdx>
        </div>
      </Section>
    </>
  );
}

export function Head({ data }: HeadProps<Data>) {
  const { frontmatter } = data.mdx;
  return <DocsHead path={frontmatter.path} frontmatter={frontmatter} />;
}

export const query = graphql`
  query DocsHubPage($id: String!) {
    mdx(id: { eq: $id }) {
      frontmatter {
        path ...TextMeta
        cards { title text to drawing }
        all { heading lead }
        files { heading lead links { label to text } }
        help { heading lead }
      }
    }
  }
`;
