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

/** Schemes that never belong to an app, whatever the gateway allowed. */
const NO_APP = /^(about|blob|data|file|filesystem|ftp|https?|intent|javascript|vbscript|view-source):/;

/** A web address, or the address of an app. */
function addressOf(address: string): URL | null {
  if (!/^[a-z][a-z0-9+.-]{2,31}:\/\//.test(address) || NO_APP.test(address)) return webAddress(address);
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** The return address with session id and status. */
export function returnAddress(returnUrl: string, sessionId: string, status: Status): string | null {
  const url = addressOf(returnUrl);
  url?.searchParams.set('sessionId', sessionId);
  url?.searchParams.set('status', status);
  return url?.href ?? null;
}
