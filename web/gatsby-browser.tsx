import './src/styles/index.css';
import type { GatsbyBrowser } from 'gatsby';
import { type ReactNode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { reportExceptions } from './src/analytics/report-exceptions';
import { track } from './src/analytics/track';
import { browserConsent } from './src/consent/browser-consent';
import { arrive, watchInput } from './src/features/navigation/arrival';
import { type PageLoader, watchNavigation } from './src/features/navigation/watch-navigation';
import { openDetailsForPrint } from './src/features/print/open-details';

export { wrapPageElement } from './src/layout/layout';

/** Hydrates in slices, so that a page on a slow phone responds to scrolling and taps meanwhile. */
export const replaceHydrateFunction: GatsbyBrowser['replaceHydrateFunction'] =
  () => (element: ReactNode, container: Element) =>
    startTransition(() => void hydrateRoot(container, element));

export const onClientEntry: GatsbyBrowser['onClientEntry'] = () => {
  watchInput(document.documentElement);
  browserConsent.subscribe(() => {
    const { analytics, marketing } = browserConsent.current() ?? {};
    track('consent_saved', { analytics: String(analytics), marketing: String(marketing) });
  });
  reportExceptions(window, track);
  openDetailsForPrint(window);
};

export const onInitialClientRender: GatsbyBrowser['onInitialClientRender'] = () =>
  watchNavigation((window as typeof window & { ___loader: PageLoader }).___loader, track);

export const onPreRouteUpdate: GatsbyBrowser['onPreRouteUpdate'] = ({ location, prevLocation }) => {
  if (prevLocation?.pathname !== location.pathname) arrive(document.documentElement);
};

export const onRouteUpdate: GatsbyBrowser['onRouteUpdate'] = ({ location, prevLocation }) => {
  if (prevLocation?.pathname === location.pathname) return;
  if (prevLocation) track('navigation', { from: prevLocation.pathname, to: location.pathname });
  track('page_view');
};
