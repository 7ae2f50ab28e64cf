/**
 * Keeps the visitor's consent in a cookie, and tells who asks what is allowed now. Cookies, storage, the clock and the
 * browser's privacy signal are passed in.
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
  remove(): void;
}

export interface ConsentSources {
  /** As document.cookie is read and written. */
  cookies: { read(): string; write(cookie: string): void };
  /** Local storage, where earlier versions of the site kept the record. */
  legacy: TextStore;
  /** Lives no longer than the visit: session storage. */
  visit: TextStore;
  /** Milliseconds since 1970. */
  now(): number;
  /** Global Privacy Control: the browser says no to whatever is optional. */
  optsOut(): boolean;
}

export interface ConsentStore {
  /** The valid consent, the same object until it changes; null where the visitor has to be asked. */
  current(): Consent | null;
  /** Whether something optional may be done now. While the browser opts out, nothing may, whatever was chosen. */
  allows(category: Category): boolean;
  optsOut(): boolean;
  save(choices: Choices): void;
  /** @returns how to end it */
  subscribe(listener: () => void): () => void;
}

export function createConsentStore({ cookies, legacy, visit, now, optsOut }: ConsentSources): ConsentStore {
  const listeners = new Set<() => void>();
  let read: { text: string; consent: Consent | null } | undefined;

  const storedText = () => readCookie(cookies.read()) ?? visit.get();

  /**
   * Browsers refuse Secure cookies on addresses with http, other than localhost in most of them. The consent is then
   * kept for the visit, and the next visit asks again: a cookie that anyone on the way can read or change is no record.
   * @returns whether the cookie is there
   */
  const keep = (consent: Consent): boolean => {
    const text = JSON.stringify(consent);
    const attributes = `Path=/; Max-Age=${secondsLeft(consent, now())}; Secure; SameSite=Strict`;
    cookies.write(`${COOKIE_NAME}=${encodeURIComponent(text)}; ${attributes}`);
    if (readCookie(cookies.read()) === text) return true;
    visit.set(text);
    return false;
  };

  /** Once: whatever the record was worth, it is not looked at again when the cookie is there. */
  const migrate = () => {
    const record = parseConsent(legacy.get());
    const wanted = record && readCookie(cookies.read()) === null && isValid(record, now());
    if (!wanted || keep(record)) legacy.remove();
  };
  migrate();

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

/** @param cookies as document.cookie lists them @returns null where there is none, or one that nobody can read */
function readCookie(cookies: string): string | null {
  const prefix = `${COOKIE_NAME}=`;
  const found = cookies.split('; ').find((cookie) => cookie.startsWith(prefix));
  if (!found) return null;
  try {
    return decodeURIComponent(found.slice(prefix.length));
  } catch {
    return '';
  }
}
