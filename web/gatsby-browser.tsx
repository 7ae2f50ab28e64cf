import './src/styles/index.css';
import type { GatsbyBrowser } from 'gatsby';
import { reportExceptions } from './src/features/analytics/report-exceptions';
import { track } from './src/features/analytics/track';
import { type PageLoader, watchNavigation } from './src/features/navigation/watch-navigation';

export { wrapPageElement } from './src/components/layout/wrap-page-element';

export const onClientEntry: GatsbyBrowser['onClientEntry'] = () => reportExceptions(window, track);

export const onInitialClientRender: GatsbyBrowser['onInitialClientRender'] = () =>
  watchNavigation((window as typeof window & { ___loader: PageLoader }).___loader, track);

export const onRouteUpdate: GatsbyBrowser['onRouteUpdate'] = ({ location, prevLocation }) => {
  if (prevLocation?.pathname === location.pathname) return;
  if (prevLocation) track('navigation', { from: prevLocation.pathname, to: location.pathname });
  track('page_view');
};
