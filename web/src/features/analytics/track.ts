import { browserConsent } from '../consent/browser-consent';
import { createTrack } from './create-track';

/** Name of the <meta> by which a build with ANALYTICS_URL says where events go; the server's policy reads it too. */
export const ENDPOINT_META = 'analytics-endpoint';

/**
 * Reports something that the visitor did: with their consent, and from builds that name an endpoint. Otherwise it does
 * nothing, and it never throws or waits. Values come from fixed lists, never from what somebody typed.
 */
export const track = createTrack({
  endpoint: () => document.querySelector<HTMLMetaElement>(`meta[name="${ENDPOINT_META}"]`)?.content ?? null,
  hasConsent: () => browserConsent.allows('analytics'),
  page: () => window.location.pathname,
  now: Date.now,
  // JSON sent as text: a request that needs no permission beforehand also leaves while the page closes.
  send: (url, body) => navigator.sendBeacon(url, body),
});
