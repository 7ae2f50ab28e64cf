/** The start page of the documentation, with a card for each part. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { DocsHead } from '../components/docs/docs-head';
import { HubCards, type HubFrontmatter } from '../components/docs/hub-cards';
import { Mdx } from '../components/mdx/mdx';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';

type Data = QueryData<Queries.DocsHubPageQuery>;

export default function DocsHubPage({ data, children }: PageProps<Data>) {
  const { title, description, cards, help } = data.mdx.frontmatter as HubFrontmatter;
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

export function Head({ data }: HeadProps<Data>) {
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
