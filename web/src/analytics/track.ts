import { browserConsent } from '../consent/browser-consent';
import { createTrack } from './create-track';

/** Name of the <meta> with the endpoint of a build with ANALYTICS_URL. The server's policy reads it too. */
export const ENDPOINT_META = 'analytics-endpoint';

/**
 * Reports an action of the visitor with their consent, in builds with an endpoint. Otherwise it does
 * nothing. It never throws or waits. Values come from fixed lists, never from user input.
 */
export const track = createTrack({
  endpoint: () => document.querySelector<HTMLMetaElement>(`meta[name="${ENDPOINT_META}"]`)?.content ?? null,
  hasConsent: () => browserConsent.allows('analytics'),
  page: () => window.location.pathname,
  now: Date.now,
  // JSON as text needs no CORS preflight, so that the request also works while the page closes.
  send: (url, body) => navigator.sendBeacon(url, body),
});
