import type { PageHeadProps } from '../page-head/metadata';
import { PageHead } from '../page-head/page-head';
import { useDocs } from './use-docs';

/** Metadata of a documentation page: breadcrumbs and a link to its Markdown. */
export function DocsHead({ path, frontmatter }: PageHeadProps) {
  const { back, label } = useDocs();
  const hub = { label, to: back.to };
  const trail = path === hub.to ? [hub] : [hub, { label: frontmatter.title, to: path }];
  return (
    <PageHead path={path} frontmatter={frontmatter} trail={trail}>
      <link rel="alternate" type="text/markdown" href={`${path}.md`} />
    </PageHead>
  );
}
