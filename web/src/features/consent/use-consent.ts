import { useSyncExternalStore } from 'react';
import { browserConsent } from './browser-consent';
import type { Consent } from './consent';

/**
 * The visitor's valid consent; null if they must choose. It is undefined in the built HTML and until hydration,
 * so that visitors who have chosen never see the banner.
 */
export const useConsent = (): Consent | null | undefined =>
  useSyncExternalStore(subscribe, browserConsent.current, () => undefined);

/** Visitors may have chosen in another tab. */
function subscribe(onChange: () => void) {
  const unsubscribe = browserConsent.subscribe(onChange);
  document.addEventListener('visibilitychange', onChange);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', onChange);
  };
}
