/**
 * The layout of documentation pages: a sidebar (a disclosure on small screens), a table of contents
 * and links to the neighboring pages.
 */
import type { ReactNode } from 'react';
import type { PageHeadProps } from '../page-head/metadata';
import { PageHead } from '../page-head/page-head';
import { BackLink } from '../ui/back-link';
import { DocsFooter } from './docs-footer';
import * as styles from './docs-layout.module.css';
import { Sidebar } from './sidebar';
import { Toc, type TocEntry } from './toc';
import { useDocs } from './use-docs';

interface DocsLayoutProps {
  /** Path of this page without a trailing slash. */
  current: string;
  /** Its headings in order; without any, the page takes the room of the table of contents. */
  toc: TocEntry[];
  /** Headings that the sidebar lists below the page, and the id of the current one. */
  sections?: readonly TocEntry[];
  activeAnchor?: string | undefined;
  source: Queries.SourceFragment;
  children: ReactNode;
}

export function DocsLayout({ current, toc, sections = [], activeAnchor, source, children }: DocsLayoutProps) {
  const { back, label, menu } = useDocs();
  const position = { current, sections, activeAnchor };
  return (
    <div className={styles.layout} data-docs>
      <div className={styles.sidebar}>
        <BackLink {...back} />
        <Sidebar label={label} {...position} />
      </div>
      <details className={styles.menu} key={current}>
        <summary data-tools>{menu}</summary>
        <BackLink {...back} />
        <Sidebar label={menu} {...position} />
      </details>
      {toc.length > 0 && (
        <div className={styles.toc}>
          <Toc entries={toc} />
        </div>
      )}
      <div className={toc.length > 0 ? styles.page : styles.wide}>
        {children}
        <DocsFooter current={current} source={source} />
      </div>
    </div>
  );
}

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
