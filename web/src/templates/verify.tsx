/** The hosted verification page, without the site's header and footer. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Verification } from '../features/verify/verification';
import { WordsProvider } from '../features/verify/words';

// The last import, as in the other templates: it determines the order of styles in webpack's single file.

import { PageHead } from '../components/page-head/page-head';

type Data = QueryData<Queries.VerifyPageQuery>;

export default function VerifyPage({ data }: PageProps<Data>) {
  const { contentVerify, contractBrand, contractLimits } = data;
  return (
    <WordsProvider words={contentVerify}>
      <Verification brand={contractBrand.name} duration={contractLimits.liveness.typicalDurationSeconds} />
    </WordsProvider>
  );
}

export const Head = ({ data, location }: HeadProps<Data>) => (
  <>
    <PageHead path={location.pathname} frontmatter={data.mdx.frontmatter} isCounted={false} />
    <meta name="referrer" content="no-referrer" />
  </>
);

export const query = graphql`
  query VerifyPage($id: String!) {
    mdx(id: { eq: $id }) { frontmatter { ...TextMeta } }
    contractBrand { name }
    contractLimits { liveness { typicalDurationSeconds { from to } } }
    contentVerify {
      noScript { heading text }
      checkBy askedBy askedBySomebody sender leave
      consent {
        heading
        points { title text }
        agreement notice missing action
        retention { hours minutes }
      }
      light { title text }
      capture { beginning preview progress step steady }
      movements { name text }
      guidance { name text }
      trouble { name text }
      attempts { one other }
      requestId
      copy { label action done }
      return { action stay soon close }
      allowCamera { name steps }
      messages { name heading text action secondary }
    }
  }
`;
