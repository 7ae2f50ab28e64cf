import brand from '@presenza/contract/brand.json';
import type { RequestHandler } from 'express';

/** Request headers that pages may send, besides those that browsers always allow. */
const requestHeaders = 'Authorization, Content-Type, X-Frame-Light, X-Frame-Nonce, X-Request-Id';
/** Response headers that pages may read. */
const responseHeaders = `Deprecation, ${brand.versionHeader}, Retry-After, Sunset, X-Request-Id`;
/** How long a browser may cache the preflight, in seconds. */
const maxAge = '600';

/**
 * Lets pages of some origins make a call (Fetch Standard, 3.2). The calls need no cookies, so credentials are not
 * allowed. Pages of other origins get the usual responses but cannot read them.
 * @param methods that pages may use, such as `GET, POST`.
 */
export function sessionCors(origins: readonly string[], methods: string): RequestHandler {
  return (req, res, next) => {
    res.locals.forPages = true;
    res.vary('Origin');
    const { origin } = req.headers;
    if (origin === undefined || !origins.includes(origin)) return next();
    res.set('Access-Control-Allow-Origin', origin);
    res.set('Access-Control-Expose-Headers', responseHeaders);
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return next();
    res.set('Access-Control-Allow-Methods', methods);
    res.set('Access-Control-Allow-Headers', requestHeaders);
    res.set('Access-Control-Max-Age', maxAge);
    res.status(204).end();
  };
}
