/** Renders MDX with the components that all running text may use. */
import { MDXProvider } from '@mdx-js/react';
import { Link } from 'gatsby';
import type { ComponentProps, ReactNode } from 'react';
import { Code } from '../ui/code';
import { isPage } from '../ui/is-page';
import { useSite } from '../use-site';
import { namedAddress } from './named-address.mjs';
import * as styles from './note.module.css';
import { Table } from './table';
import { useFacts } from './use-facts';

interface MdxProps {
  /** Components of this page alone, by their names in the content. */
  extra?: ComponentProps<typeof MDXProvider>['components'];
  children: ReactNode;
}

export function Mdx({ extra, children }: MdxProps) {
  return (
    <MDXProvider components={{ Fact, Note, a: MdxLink, code: Code, table: Table, ...extra }}>
      {children}
    </MDXProvider>
  );
}

/** The value of a fact from contract, results or packages. */
function Fact({ name }: { name: string }) {
  const value = useFacts()[name];
  if (value === undefined) throw new Error(`Content uses an unknown fact: {${name}}.`);
  return <span data-fact={name}>{value}</span>;
}

function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <aside className={styles.note}>
      <p className={styles.title}>{title}</p>
      {children}
    </aside>
  );
}

/** A link in running text: client-side within the site, resolved for named addresses. */
export function MdxLink({ href = '', children, ...rest }: ComponentProps<'a'>) {
  const site = useSite();
  if (isPage(href)) return <Link to={href}>{children}</Link>;
  const address = href.startsWith('site:') ? namedAddress(href, site) : href;
  return (
    <a href={address} {...rest}>
      {children}
    </a>
  );
}
