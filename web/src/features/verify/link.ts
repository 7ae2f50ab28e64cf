/** The link to the page with the access token in its fragment, which browsers never send to servers. */

export interface Link {
  /** The whole fragment, used as bearer token of all session calls. */
  token: string;
  /** The token's prefix, for the paths of the calls. */
  sessionId: string;
}

/** Key in the session storage of this tab. */
const STORAGE_KEY = 'verify';
const FORM = /^(ses_[0-9A-Za-z]{24})-[\w-]{16,2048}$/;

/** @returns null if the text is not an access token */
export function parseLink(text: string): Link | null {
  const sessionId = FORM.exec(text)?.[1];
  return sessionId ? { token: text, sessionId } : null;
}

/**
 * Removes the token from the address bar, where a photo of the screen or a shared address would reveal
 * it. It is stored for reloads of this tab, or kept in memory if storage is denied.
 */
export function takeLink(window: Window): Link | null {
  const { hash, pathname, search } = window.location;
  const fresh = parseLink(hash.slice(1));
  if (hash) window.history.replaceState(window.history.state, '', pathname + search);
  try {
    if (fresh) window.sessionStorage.setItem(STORAGE_KEY, fresh.token);
    // A malformed link must not restore the previous session of this tab.
    else if (hash) window.sessionStorage.removeItem(STORAGE_KEY);
    else return parseLink(window.sessionStorage.getItem(STORAGE_KEY) ?? '');
  } catch {
    // Storage is denied.
  }
  return fresh;
}

/** The address for another browser. */
export const addressOf = ({ origin, pathname }: Location, { token }: Link) => `${origin}${pathname}#${token}`;
