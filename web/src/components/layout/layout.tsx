/** Header, page and footer: what every page of the site is inside. */
import type { ReactNode } from 'react';
import { useSite } from '../use-site';
import { Footer } from './footer';
import { Header } from './header';
import * as styles from './layout.module.css';

export function Layout({ children }: { children: ReactNode }) {
  const { skipLink } = useSite();
  return (
    <>
      <a className={styles.skip} href="#content">
        {skipLink}
      </a>
      <Header />
      <main id="content" className={styles.main}>
        {children}
      </main>
      <Footer />
    </>
  );
}
