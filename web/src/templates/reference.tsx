/** The API reference: running text with components for the contract's operations, fields and errors. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { DocsHead, DocsLayout } from '../components/docs/docs-layout';
import { useMdxToc } from '../components/docs/toc';
import { Mdx } from '../components/mdx/mdx';
import * as styles from '../components/reference/page.module.css';
import { type ReferenceData, ReferenceProvider } from '../components/reference/reference-data';
import { COMPONENTS } from '../components/reference/tables';
import { useSections } from '../components/reference/use-sections';
import { PageIntro } from '../components/ui/page-intro';

export default function ReferencePage({ data, children }: PageProps<ReferenceData>) {
  const { frontmatter, source, tableOfContents } = data.mdx;
  const active = useSections(useMdxToc(tableOfContents));
  return (
    <ReferenceProvider value={data}>
      <DocsLayout current={frontmatter.path} toc={[]} activeAnchor={active} source={source}>
        <article className={styles.page}>
          <PageIntro heading={frontmatter.title} lead={frontmatter.description} />
          <div className="prose">
            <Mdx extra={COMPONENTS}>{children}</Mdx>
          </div>
        </article>
      </DocsLayout>
    </ReferenceProvider>
  );
}

export const Head = ({ data }: HeadProps<ReferenceData>) => (
  <DocsHead path={data.mdx.frontmatter.path} frontmatter={data.mdx.frontmatter} />
);

export const query = graphql`
  fragment ReferenceField on ContractField {
    path name depth type required extension description bounds values
  }

  fragment ReferenceBody on ContractBody {
    type extension description
    fields { ...ReferenceField }
    examples { label html }
  }

  fragment ReferenceStatus on ContractStatus {
    status description codes
  }

  query ReferencePage($id: String!) {
    mdx(id: { eq: $id }) {
      frontmatter { path ...TextMeta }
      tableOfContents(maxDepth: 2)
      source { ...Source }
    }
    contentReference {
      required optional extension extensionNote values constant moreFields retryable notRetryable
      headings { parameters request response statuses examples responses reasons example }
      auth { label }
      plans { plan burst concurrency burstValue }
      events { finalStatus none }
    }
    allContractOperation(sort: { position: ASC }) {
      nodes {
        operationId anchor method path summary description extension auth isSessionCall maxBody
        parameters { ...ReferenceField place example }
        requestDescription
        request { ...ReferenceBody }
        response { ...ReferenceBody }
        statuses { ...ReferenceStatus }
        samples { language label html }
      }
    }
    allContractWebhook(sort: { position: ASC }) {
      nodes {
        eventType label when finalStatus
        statuses { ...ReferenceStatus }
        examples { label html }
      }
    }
    allContractHeader(sort: { position: ASC }) {
      nodes { name type required extension description bounds values example }
    }
    allContractWebhookHeader(sort: { position: ASC }) {
      nodes { name type required extension description bounds values example }
    }
    allContractSchema( filter: {name: {in: ["error-response", "webhook-event", "webhook-acknowledgement"]}} ) {
      nodes { name members { ...ReferenceField } }
    }
    allContractError(sort: { position: ASC }) {
      nodes { code status title message retryable extension advice reasons { name message } }
    }
    allContractPlan(sort: { position: ASC }) {
      nodes { tier displayName limits { burst { limit windowSeconds } concurrency } }
    }
    allWebhookReceiver(sort: { position: ASC }) { nodes { language label html } }
  }
`;
