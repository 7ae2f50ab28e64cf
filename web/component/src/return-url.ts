import type { Status } from './wire';

/** A web address that is safe to navigate to; null for others, such as javascript: URLs. */
export function webAddress(address: string): URL | null {
  const url = parse(address);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
}

/** The address of the gateway without `/v1` and slashes at its end, absolute or of this site; null for others. */
export const apiAddress = (address: string): string | null =>
  /^(https?:\/\/[^/]|\/)/i.test(address) ? address.replace(/(\/+v1)?\/*$/, '') : null;

/** The return address with session id and status. The gateway allows only the web and apps; scripts end here as well. */
export function returnAddress(returnUrl: string, sessionId: string, status: Status): string | null {
  const url = parse(returnUrl);
  if (!url || url.protocol === 'javascript:') return null;
  url.searchParams.set('sessionId', sessionId);
  url.searchParams.set('status', status);
  return url.href;
}

function parse(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
