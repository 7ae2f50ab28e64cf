/**
 * Stores the visitor's consent in a cookie and reports what it allows. Cookies, storage, clock and the
 * browser's privacy signal are injected.
 */
import {
  type Category,
  type Choices,
  type Consent,
  consentTo,
  isValid,
  parseConsent,
  secondsLeft,
} from './consent';

export const COOKIE_NAME = 'consent';

export interface TextStore {
  get(): string | null;
  set(text: string): void;
}

export interface ConsentSources {
  /** Cookies in the format of document.cookie. */
  cookies: { read(): string; write(cookie: string): void };
  /** Session storage, which lasts for the visit. */
  visit: TextStore;
  /** Whether this machine serves the page over plain HTTP, as `npm start` does. */
  isLocal(): boolean;
  /** Milliseconds since 1970. */
  now(): number;
  /** Global Privacy Control: the browser opts out of everything optional. */
  optsOut(): boolean;
}

export interface ConsentStore {
  /** The valid consent, the same object until it changes; null if the visitor must choose. */
  current(): Consent | null;
  /** Whether a category is allowed now. A browser that opts out overrides any choice. */
  allows(category: Category): boolean;
  optsOut(): boolean;
  save(choices: Choices): void;
  /** @returns unsubscribes the listener */
  subscribe(listener: () => void): () => void;
}

export function createConsentStore({ cookies, visit, isLocal, now, optsOut }: ConsentSources): ConsentStore {
  const listeners = new Set<() => void>();
  let read: { text: string; consent: Consent | null } | undefined;

  const storedText = () => readCookie(cookies.read()) ?? visit.get();

  /**
   * Browsers refuse Secure cookies on http addresses, and WebKit also on those of this machine, where nothing is in transit
   * and the cookie needs no Secure. On others the consent is kept for the visit, because a cookie without Secure could be
   * read or changed in transit.
   */
  const keep = (consent: Consent): void => {
    const text = JSON.stringify(consent);
    const secure = isLocal() ? '' : ' Secure;';
    const attributes = `Path=/; Max-Age=${secondsLeft(consent, now())};${secure} SameSite=Strict`;
    cookies.write(`${COOKIE_NAME}=${encodeURIComponent(text)}; ${attributes}`);
    if (readCookie(cookies.read()) !== text) visit.set(text);
  };

  const current = () => {
    const text = storedText() ?? '';
    if (read?.text !== text) read = { text, consent: parseConsent(text) };
    return read.consent && isValid(read.consent, now()) ? read.consent : null;
  };

  return {
    current,
    optsOut,
    allows: (category) => !optsOut() && current()?.[category] === true,
    save(choices) {
      keep(consentTo(choices, now()));
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** @param cookies in the format of document.cookie @returns null without the cookie, empty if it is malformed */
function readCookie(cookies: string): string | null {
  const prefix = `${COOKIE_NAME}=`;
  const entry = cookies.split('; ').find((cookie) => cookie.startsWith(prefix));
  if (!entry) return null;
  try {
    return decodeURIComponent(entry.slice(prefix.length));
  } catch {
    return '';
  }
}
