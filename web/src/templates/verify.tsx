/** The hosted verification page, without the site's header and footer. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Verification } from '../features/verify/verification';

// The last import, as in the other templates: it determines the order of styles in webpack's single file.

import { PageHead } from '../components/page-head/page-head';

type Data = QueryData<Queries.VerifyPageQuery>;

export default function VerifyPage({ data: { contentVerify, contractBrand, mdx } }: PageProps<Data>) {
  return (
    <Verification
      brand={contractBrand.name}
      heading={mdx.frontmatter.title}
      noScript={contentVerify.noScript}
    />
  );
}

export const Head = ({ data, location }: HeadProps<Data>) => (
  <>
    <PageHead path={location.pathname} frontmatter={data.mdx.frontmatter} isCounted={false} />
    <meta name="referrer" content="no-referrer" />
    <link rel="modulepreload" href="/liveness/index.js" />
    <script type="module" src="/verify.js" />
  </>
);

export const query = graphql`
  query VerifyPage($id: String!) {
    mdx(id: { eq: $id }) { frontmatter { ...TextMeta } }
    contractBrand { name }
    contentVerify(locale: { eq: "en" }) { noScript { heading text } }
  }
`;
