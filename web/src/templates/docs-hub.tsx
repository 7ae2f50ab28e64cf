/** Where the documentation begins: a card for each of its pages, and where help is. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { DocsHead } from '../components/docs/docs-head';
import { type Card, HubCards } from '../components/docs/hub-cards';
import { Mdx } from '../components/mdx/mdx';
import type { Frontmatter } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';

interface HubData {
  mdx: {
    frontmatter: Frontmatter & { path: string; cards: Card[]; help: { heading: string; lead: string } };
  };
}

export default function DocsHubPage({ data, children }: PageProps<HubData>) {
  const { title, description, cards, help } = data.mdx.frontmatter;
  return (
    <>
      <PageIntro heading={title} lead={description} />
      <HubCards cards={cards} />
      <Section heading={help.heading} lead={help.lead}>
        <div className="prose">
          <Mdx>{children}</Mdx>
        </div>
      </Section>
    </>
  );
}

export function Head({ data }: HeadProps<HubData>) {
  const { frontmatter } = data.mdx;
  return <DocsHead path={frontmatter.path} frontmatter={frontmatter} />;
}

export const query = graphql`
  query DocsHubPage($id: String!) {
    mdx(id: { eq: $id }) {
      frontmatter { path ...TextMeta cards { title text to drawing } help { heading lead } }
    }
  }
`;
