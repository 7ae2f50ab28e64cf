import type { RequestHandler } from 'express';

/** What pages may send, beside what browsers allow anyway. */
const requestHeaders = 'Authorization, Content-Type, X-Frame-Nonce, X-Request-Id';
/** What pages may read. */
const responseHeaders = 'Retry-After, X-Request-Id';
/** How long a browser need not ask again, in seconds. */
const maxAge = '600';

/**
 * Lets pages of a few origins make a call (Fetch Standard, 3.2). Nothing is sent along by itself that would identify
 * the user, so no credentials are allowed. Whoever asks from elsewhere gets the usual answers, and may not read them.
 * @param methods that pages may use, such as `GET, POST`.
 */
export function sessionCors(origins: readonly string[], methods: string): RequestHandler {
  return (req, res, next) => {
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
