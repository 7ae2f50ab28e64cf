import { MDXProvider } from '@mdx-js/react';
import type { WrapPageElementBrowserArgs } from 'gatsby';
import { CodeBlock } from '../code/code-block';
import { Layout } from './layout';

type Wrapped = WrapPageElementBrowserArgs<Record<string, unknown>, { layout?: string | null }>;

/** Components that replace elements of MDX. */
const components = { pre: CodeBlock };

/** Gatsby's hook for server and browser. Header and footer stay mounted when the page changes. */
export function wrapPageElement({ element, props }: Pick<Wrapped, 'element' | 'props'>) {
  if (props.pageContext.layout === 'bare') return element;
  return (
    <Layout>
      <MDXProvider components={components}>{element}</MDXProvider>
    </Layout>
  );
}
