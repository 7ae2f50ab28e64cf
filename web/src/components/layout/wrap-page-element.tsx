import { MDXProvider } from '@mdx-js/react';
import type { WrapPageElementBrowserArgs } from 'gatsby';
import { CodeBlock } from '../code/code-block';
import { Layout } from './layout';

type Wrapped = WrapPageElementBrowserArgs<Record<string, unknown>, { layout?: string | null }>;

/** What MDX renders other than by an element of the same name. */
const components = { pre: CodeBlock };

/** Gatsby's hook, the same on both sides, so that the header and the footer outlive a change of page. */
export function wrapPageElement({ element, props }: Pick<Wrapped, 'element' | 'props'>) {
  if (props.pageContext.layout === 'bare') return element;
  return (
    <Layout>
      <MDXProvider components={components}>{element}</MDXProvider>
    </Layout>
  );
}
