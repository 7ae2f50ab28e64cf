/** The consent of this browser. During the build there is neither consent nor storage. */
import { createConsentStore, type TextStore } from './consent-store';
import { isLocal } from './local-page';

const VISIT_KEY = 'consent';

const inBrowser = typeof document !== 'undefined';

export const browserConsent = createConsentStore({
  cookies: {
    read: () => (inBrowser ? document.cookie : ''),
    write: (cookie) => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari 13 and Firefox 75.
      if (inBrowser) document.cookie = cookie;
    },
  },
  visit: textStore(() => window.sessionStorage, VISIT_KEY),
  isLocal: () => inBrowser && isLocal(window.location),
  now: Date.now,
  optsOut: () => inBrowser && (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true,
});

/** Browsers may throw on access to storage, which then counts as empty. */
function textStore(storage: () => Storage, key: string): TextStore {
  const attempt = <T>(action: (store: Storage) => T, otherwise: T): T => {
    if (!inBrowser) return otherwise;
    try {
      return action(storage());
    } catch {
      return otherwise;
    }
  };
  return {
    get: () => attempt((store) => store.getItem(key), null),
    set: (text) => attempt((store) => store.setItem(key, text), undefined),
  };
}

export const choose = browserConsent.save;
export const chooseAll = () => choose({ analytics: true, marketing: true });
export const chooseNecessary = () => choose({ analytics: false, marketing: false });
