import type { Status } from './wire';

/** An address that a browser may be sent to; null for any other, since one with a script in it would run here. */
export function webAddress(address: string): URL | null {
  try {
    const url = new URL(address);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}

/** Where the person came from, told how it went. */
export function returnAddress(returnUrl: string, sessionId: string, status: Status): string | null {
  const url = webAddress(returnUrl);
  url?.searchParams.set('sessionId', sessionId);
  url?.searchParams.set('status', status);
  return url?.href ?? null;
}
