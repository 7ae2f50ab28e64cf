/** A documentation page of running text. */
import type { ComponentProps } from 'react';
import { Mdx } from '../mdx/mdx';
import { PageIntro } from '../ui/page-intro';
import { DocsLayout } from './docs-layout';
import { PageMarkdown } from './page-markdown';

type LayoutProps = Pick<ComponentProps<typeof DocsLayout>, 'toc' | 'source'>;

interface DocsTextProps extends LayoutProps, ComponentProps<typeof Mdx> {
  frontmatter: { path: string; title: string; description: string };
}

export function DocsText({ frontmatter, toc, source, extra, children }: DocsTextProps) {
  const { path, title, description } = frontmatter;
  return (
    <DocsLayout current={path} toc={toc} source={source}>
      <article>
        <PageIntro heading={title} lead={description}>
          <PageMarkdown path={path} />
        </PageIntro>
        <div className="prose">
          <Mdx extra={extra}>{children}</Mdx>
        </div>
      </article>
    </DocsLayout>
  );
}
