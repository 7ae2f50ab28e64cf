import type { ReactNode } from 'react';
import { PageIntro } from '../ui/page-intro';
import { Contents } from './contents';
import * as columns from './contents.module.css';
import * as styles from './legal.module.css';

interface TextPageProps {
  frontmatter: {
    readonly title: string;
    readonly description: string;
    readonly lastUpdated: string | null;
    readonly date: string | null;
  };
  toc: Record<string, unknown> | null;
  labels: { readonly contents: string; readonly lastUpdated: string };
  /** Class of the text's column. */
  column: string;
  children: ReactNode;
}

/** A text with the date of its last change, beside its table of contents. */
export const TextPage = ({ frontmatter, toc, labels, column, children }: TextPageProps) => (
  <article className={styles.page}>
    <PageIntro heading={frontmatter.title} lead={frontmatter.description}>
      <p className={styles.date} data-tools>
        {labels.lastUpdated} <time dateTime={String(frontmatter.lastUpdated)}>{frontmatter.date}</time>
      </p>
    </PageIntro>
    <div className={columns.columns}>
      <Contents label={labels.contents} toc={toc} />
      <div className={`prose ${column}`}>{children}</div>
    </div>
  </article>
);
