/** What running text may use beside Markdown. */
import { MDXProvider } from '@mdx-js/react';
import type { ComponentProps, ReactNode } from 'react';
import { Fact } from './fact';
import { MdxLink } from './mdx-link';
import { Note } from './note';

const components = { Fact, Note, a: MdxLink };

interface MdxProps {
  /** Components of this page alone, by the names that its content uses. */
  extra?: ComponentProps<typeof MDXProvider>['components'];
  children: ReactNode;
}

export function Mdx({ extra, children }: MdxProps) {
  return <MDXProvider components={{ ...components, ...extra }}>{children}</MDXProvider>;
}
