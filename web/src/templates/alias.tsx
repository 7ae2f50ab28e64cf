/** An alias that redirects to its page, with and without JavaScript. The site's own server redirects before. */
import { graphql, type HeadProps, Link, navigate, type PageProps } from 'gatsby';
import { useEffect } from 'react';
import { Canonical } from '../components/page-head/metadata';
import { PageIntro } from '../components/ui/page-intro';
import { useSite } from '../components/use-site';

/** Only the built file contains the refresh; within the site the page below navigates client-side. */
const IN_BUILD = typeof window === 'undefined';

type Data = QueryData<Queries.AliasPageQuery>;

interface AliasContext {
  /** Path of the target page. */
  alias: string;
}

export default function AliasPage({ data, location, pageContext }: PageProps<Data, AliasContext>) {
  const { title, description } = data.mdx.frontmatter;
  const to = pageContext.alias + location.hash;
  useEffect(() => {
    navigate(to, { replace: true });
  }, [to]);
  return (
    <PageIntro heading={title}>
      <p>
        <Link to={pageContext.alias}>{description}</Link>
      </p>
    </PageIntro>
  );
}

export function Head({ data, pageContext }: HeadProps<Data, AliasContext>) {
  const { titleOf } = useSite();
  const { title, description } = data.mdx.frontmatter;
  return (
    <>
      <title>{titleOf(title)}</title>
      <meta name="description" content={description} />
      <Canonical path={pageContext.alias} />
      {IN_BUILD && <meta httpEquiv="refresh" content={`0; url=${pageContext.alias}`} />}
    </>
  );
}

export const query = graphql`
  query AliasPage($id: String!) {
    mdx(id: { eq: $id }) { frontmatter { title description } }
  }
`;
