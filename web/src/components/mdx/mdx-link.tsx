import { Link } from 'gatsby';
import type { ComponentProps } from 'react';
import { signUpUrl } from '../../features/sign-up/plan-address';
import { useSite } from '../use-site';

/** Addresses that content names by a word: they belong to content/site.json. */
const NAMED = /^site:(.+)$/;

/** A link in running text: within the site without loading a page anew, and to the named addresses of the site. */
export function MdxLink({ href = '', children, ...rest }: ComponentProps<'a'>) {
  const { console, contact } = useSite();
  if (/^\/(?!\/)[^.]*$/.test(href)) return <Link to={href}>{children}</Link>;
  const name = NAMED.exec(href)?.[1];
  const addresses: Record<string, string> = {
    console: console.home,
    keys: console.keys,
    'sign-up': signUpUrl(console, 'free'),
    support: `mailto:${contact.support}`,
    sales: `mailto:${contact.sales}`,
  };
  const address = name === undefined ? href : addresses[name];
  if (address === undefined) throw new Error(`Content links to an address that is not known: ${href}.`);
  return (
    <a href={address} {...rest}>
      {children}
    </a>
  );
}
