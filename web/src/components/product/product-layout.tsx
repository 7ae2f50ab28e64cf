/** The layout of a product page, with links to the other products. */
import { Link } from 'gatsby';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Link as LinkText } from '../use-site';
import * as styles from './product-layout.module.css';

interface ProductLayoutProps {
  back: LinkText;
  label: string;
  products: readonly { path: string; name: string }[];
  links: readonly LinkText[];
  children: ReactNode;
}

export function ProductLayout({ back, label, products, links, children }: ProductLayoutProps) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => showCurrent(nav.current), []);
  return (
    <div className={styles.layout}>
      <div className={styles.side}>
        <Link className={styles.back} to={back.to} data-tools>
          <svg viewBox="0 0 16 12" aria-hidden="true">
            <path d="M15 6H1M6 1L1 6l5 5" />
          </svg>
          {back.label}
        </Link>
        <nav ref={nav} className={styles.nav} aria-label={label}>
          <ul className={styles.products}>
            {products.map(({ path, name }) => (
              <li key={path}>
                <Link to={path}>{name}</Link>
              </li>
            ))}
          </ul>
          <ul className={styles.links}>
            {links.map(({ label: text, to }) => (
              <li key={to}>
                <Link to={to}>{text}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className={styles.content}>{children}</div>
    </div>
  );
}

/** Scrolls the current link into view where the links are a scrolling strip. */
function showCurrent(nav: HTMLElement | null) {
  const current = nav?.querySelector<HTMLElement>('[aria-current]');
  if (nav && current) nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}
