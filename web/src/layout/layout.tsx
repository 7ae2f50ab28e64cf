/** The frame of every page: header, footer, and the consent banner. */
import { MDXProvider } from '@mdx-js/react';
import type { WrapPageElementBrowserArgs } from 'gatsby';
import type { ReactNode } from 'react';
import { track } from '../analytics/track';
import { CodeBlock } from '../components/code/code-block';
import { useSite } from '../components/use-site';
import { ConsentBanner } from '../features/consent/consent-banner';
import { PreferencesProvider } from '../features/consent/preferences';
import { Footer } from './footer';
import { Header } from './header';
import * as styles from './layout.module.css';

type Wrapped = WrapPageElementBrowserArgs<Record<string, unknown>, { layout?: string | null }>;

/** Components that replace elements of MDX. */
const components = { pre: CodeBlock };

/** Gatsby's hook for server and browser. Header and footer stay mounted when the page changes. */
export const wrapPageElement = ({ element, props }: Pick<Wrapped, 'element' | 'props'>) =>
  props.pageContext.layout === 'bare' ? (
    element
  ) : (
    <Layout>
      <MDXProvider components={components}>{element}</MDXProvider>
    </Layout>
  );

function Layout({ children }: { children: ReactNode }) {
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
