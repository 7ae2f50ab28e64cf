/** The access token of a session, which is the fragment of its link: browsers never send it to servers. */

export interface Link {
  /** The whole fragment, used as bearer token of all session calls. */
  token: string;
  /** The token's prefix, for the paths of the calls. */
  sessionId: string;
}

const FORM = /^(ses_[0-9A-Za-z]{24})-[\w-]{16,2048}$/;

/** @returns null if the text is not an access token */
export function parseLink(text: string): Link | null {
  const sessionId = FORM.exec(text)?.[1];
  return sessionId ? { token: text, sessionId } : null;
}
