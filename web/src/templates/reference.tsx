/**
 * The API reference: running text with components for the contract's operations, fields and errors. Its first page
 * leads to a page for each resource, and one page has them all.
 */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { DocsHead, DocsLayout } from '../components/docs/docs-layout';
import { PageMarkdown } from '../components/docs/page-markdown';
import { useMdxToc } from '../components/docs/toc';
import { Mdx } from '../components/mdx/mdx';
import { PageIndex } from '../components/reference/contents';
import * as styles from '../components/reference/page.module.css';
import { type ReferenceData, ReferenceProvider } from '../components/reference/reference-data';
import { COMPONENTS, FULL_COMPONENTS } from '../components/reference/tables';
import { useMovedAnchors } from '../components/reference/use-moved-anchors';
import { useSections } from '../components/reference/use-sections';
import { PageIntro } from '../components/ui/page-intro';
import { operations as playgroundOperations } from '../features/console/areas/playground/operations';

const ENTRY = '/docs/api-reference';
const FULL = `${ENTRY}/all`;

export default function ReferencePage({ data, children }: PageProps<ReferenceData>) {
  const { frontmatter, source, tableOfContents } = data.mdx;
  const parts = data.allReferencePage.nodes;
  const part = parts.find(({ path }) => path === frontmatter.path);
  const isFull = frontmatter.path === FULL;
  const toc = useMdxToc(tableOfContents);
  const sections = part ? headingsOf(part) : isFull ? parts.map(ofPart) : toc;
  const active = useSections(sections);
  useMovedAnchors(frontmatter.path === ENTRY);
  return (
    <ReferenceProvider value={{ ...data, isFull, sections, playgroundOperations }}>
      <DocsLayout
        current={frontmatter.path}
        toc={[]}
        sections={sections}
        activeAnchor={active}
        source={source}
      >
        <article className={styles.page} id={part?.slug}>
          <PageIntro heading={frontmatter.title} lead={frontmatter.description}>
            <PageMarkdown path={frontmatter.path} />
          </PageIntro>
          {part && <PageIndex part={part} />}
          <div className="prose">
            <Mdx extra={isFull ? FULL_COMPONENTS : COMPONENTS}>{children}</Mdx>
          </div>
        </article>
      </DocsLayout>
    </ReferenceProvider>
  );
}

type Part = ReferenceData['allReferencePage']['nodes'][number];

const ofPart = ({ slug, title }: Part) => ({ id: slug, title, level: 2 });
const headingsOf = ({ contents }: Part) =>
  contents
    .filter(({ kind }) => kind === 'heading' || kind === 'operation')
    .map(({ anchor, title, kind }) => ({
      id: anchor,
      title,
      level: 2,
      ...(kind === 'operation' && { source: 'contract' as const }),
    }));

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

  query ReferencePage($id: String!, $path: String!) {
    mdx(id: { eq: $id }) {
      frontmatter { path ...TextMeta }
      tableOfContents(maxDepth: 2)
      source { ...Source }
    }
    contentReference {
      required optional extension extensionNote values constant moreFields retryable notRetryable onThisPage
      headings { parameters request response statuses examples responses reasons example sample }
      auth { label }
      playground { label note }
      plans { plan burst concurrency burstValue }
      events { finalStatus none }
    }
    allReferencePage(sort: { position: ASC }) {
      nodes { path slug title description contents { anchor title kind endpoint } }
    }
    allContractOperation(filter: { places: { eq: $path } }, sort: { position: ASC }) {
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
    allContractWebhook(filter: { places: { eq: $path } }, sort: { position: ASC }) {
      nodes {
        eventType label when finalStatus carriesResult
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
    allContractSchema(filter: { places: { eq: $path } }) {
      nodes { name members { ...ReferenceField } }
    }
    allContractError(sort: { position: ASC }) {
      nodes { code status title message retryable extension advice reasons { name message } }
    }
    allContractPlan(sort: { position: ASC }) {
      nodes { tier displayName limits { burst { limit windowSeconds } concurrency } }
    }
    allClientProgram(filter: { places: { eq: $path } }) { nodes { client html } }
    allWebhookReceiver(filter: { places: { eq: $path } }, sort: { position: ASC }) {
      nodes { language label html }
    }
  }
`;
