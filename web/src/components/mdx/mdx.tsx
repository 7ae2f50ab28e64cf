/** Renders MDX with the components that all running text may use. */
import { MDXProvider } from '@mdx-js/react';
import type { ComponentProps, ReactNode } from 'react';
import { Fact } from './fact';
import { MdxLink } from './mdx-link';
import { Note } from './note';
import { Table } from './table';

const components = { Fact, Note, a: MdxLink, table: Table };

interface MdxProps {
  /** Components of this page alone, by their names in the content. */
  extra?: ComponentProps<typeof MDXProvider>['components'];
  children: ReactNode;
}

export function Mdx({ extra, children }: MdxProps) {
  return <MDXProvider components={{ ...components, ...extra }}>{children}</MDXProvider>;
}
