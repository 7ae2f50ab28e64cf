/** The link that brought the person here: the access token stands in its fragment, which no server ever sees. */

export interface Link {
  /** The whole fragment is the bearer of every session call. */
  token: string;
  /** What it begins with: the paths of the calls need it. */
  sessionId: string;
}

/** Of this tab alone, and gone with it. */
const STORAGE_KEY = 'verify';
const FORM = /^(ses_[0-9A-Za-z]{24})-[\w-]{16,2048}$/;

/** @returns null where the text is no access token */
export function parseLink(text: string): Link | null {
  const sessionId = FORM.exec(text)?.[1];
  return sessionId ? { token: text, sessionId } : null;
}

/**
 * Takes the token out of the address bar, where a photograph of the screen or a shared address would give it
 * away. It is kept for reloads of this tab; where storage is refused, until the page is left.
 */
export function takeLink(window: Window): Link | null {
  const { hash, pathname, search } = window.location;
  const fresh = parseLink(hash.slice(1));
  if (hash) window.history.replaceState(window.history.state, '', pathname + search);
  try {
    if (fresh) window.sessionStorage.setItem(STORAGE_KEY, fresh.token);
    // A broken link must not bring back the session that this tab had before.
    else if (hash) window.sessionStorage.removeItem(STORAGE_KEY);
    else return parseLink(window.sessionStorage.getItem(STORAGE_KEY) ?? '');
  } catch {
    // Storage is refused.
  }
  return fresh;
}

/** The address to open in another browser. */
export const addressOf = ({ origin, pathname }: Location, { token }: Link) => `${origin}${pathname}#${token}`;
