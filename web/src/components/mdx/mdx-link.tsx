import { Link } from 'gatsby';
import type { ComponentProps } from 'react';
import { useSite } from '../use-site';
import { namedAddress } from './named-address.mjs';

/** A link in running text: client-side within the site, resolved for named addresses. */
export function MdxLink({ href = '', children, ...rest }: ComponentProps<'a'>) {
  const site = useSite();
  if (/^\/(?!\/)[^.]*$/.test(href)) return <Link to={href}>{children}</Link>;
  const address = href.startsWith('site:') ? namedAddress(href, site) : href;
  return (
    <a href={address} {...rest}>
      {children}
    </a>
  );
}
