/** The hosted verification page: it stands alone, without the site's header and footer. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Verification } from '../features/verify/verification';
import { type VerifyWords, WordsProvider } from '../features/verify/words';

// Last, as in the other templates: webpack puts all styles into one file, and this leads to those of every page.

import { type Frontmatter, PageHead } from '../components/page-head/page-head';

interface VerifyData {
  mdx: { frontmatter: Frontmatter };
  contentVerify: VerifyWords;
  contractBrand: { name: string };
  contractLimits: { liveness: { typicalDurationSeconds: { from: number; to: number } } };
}

export default function VerifyPage({ data }: PageProps<VerifyData>) {
  const { contentVerify, contractBrand, contractLimits } = data;
  return (
    <WordsProvider words={contentVerify}>
      <Verification brand={contractBrand.name} duration={contractLimits.liveness.typicalDurationSeconds} />
    </WordsProvider>
  );
}

export const Head = ({ data, location }: HeadProps<VerifyData>) => (
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
