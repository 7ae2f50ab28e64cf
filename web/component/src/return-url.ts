import type { Status } from './wire';

/** A web address that is safe to navigate to; null for others, such as javascript: URLs. */
export function webAddress(address: string): URL | null {
  try {
    const url = new URL(address);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}

/** The return address with session id and status. */
export function returnAddress(returnUrl: string, sessionId: string, status: Status): string | null {
  const url = webAddress(returnUrl);
  url?.searchParams.set('sessionId', sessionId);
  url?.searchParams.set('status', status);
  return url?.href ?? null;
}
