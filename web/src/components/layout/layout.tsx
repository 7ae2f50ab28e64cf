/** The frame of every page: header, footer, and the consent banner. */
import type { ReactNode } from 'react';
import { track } from '../../features/analytics/track';
import { ConsentBanner } from '../../features/consent/consent-banner';
import { PreferencesProvider } from '../../features/consent/preferences';
import { useSite } from '../use-site';
import { Footer } from './footer';
import { Header } from './header';
import * as styles from './layout.module.css';

export function Layout({ children }: { children: ReactNode }) {
  const { skipLink } = useSite();
  return (
    <PreferencesProvider onOpen={() => track('preferences_opened')}>
      <a className={styles.skip} href="#content">
        {skipLink}
      </a>
      <ConsentBanner />
      <Header />
      <main id="content" className={styles.main}>
        {children}
      </main>
      <Footer />
    </PreferencesProvider>
  );
}
