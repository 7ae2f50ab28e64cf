import { useSyncExternalStore } from 'react';
import { browserConsent } from './browser-consent';
import type { Consent } from './consent';

/**
 * The visitor's valid consent; null where they have to be asked. It is undefined in the built HTML and until the page
 * has come alive, so that nothing is shown to those who have chosen.
 */
export const useConsent = (): Consent | null | undefined =>
  useSyncExternalStore(subscribe, browserConsent.current, () => undefined);

/** Whoever comes back to this tab may have chosen in another one. */
function subscribe(onChange: () => void) {
  const unsubscribe = browserConsent.subscribe(onChange);
  document.addEventListener('visibilitychange', onChange);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', onChange);
  };
}
