import brand from '@presenza/contract/brand.json';
import type { Request, RequestHandler, Response } from 'express';
import { isSecureOrigin } from '../services/contract/origins';
import type { Liveness } from '../services/liveness/liveness';
import { bearerOf } from './bearer';

/** Request headers that pages may send, besides those that browsers always allow. */
const requestHeaders =
  'Authorization, Content-Type, X-Frame-Light, X-Frame-Nonce, X-Frame-Signature, X-Request-Id';
/** Response headers that pages may read. */
const responseHeaders = `Deprecation, ${brand.versionHeader}, Retry-After, Sunset, X-Request-Id`;
/** How long a browser may cache the preflight, in seconds. */
const maxAge = '600';

export type PageServices = Pick<Liveness, 'origins' | 'originsOfAccount' | 'tokens'>;

/**
 * Lets pages of some origins make a call (Fetch Standard, 3.2): those of the configuration, and those of the session's
 * account. The calls need no cookies, so credentials are not allowed. Pages of other origins get the usual responses but
 * cannot read them.
 *
 * A preflight contains no access token, so nobody can know the account. It therefore allows every origin that an account
 * could have, which reveals nothing: the page can read the response to the call itself only if the account allows its origin.
 * @param methods that pages may use, such as `GET, POST`.
 */
export function sessionCors(services: PageServices, methods: string): RequestHandler {
  return async (req, res, next) => {
    res.locals.forPages = true;
    res.vary('Origin');
    const { origin } = req.headers;
    if (origin === undefined) return next();
    const isPreflight =
      req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    if (isPreflight && (isSecureOrigin(origin) || services.origins.includes(origin))) {
      allow(res, origin);
      res.set('Access-Control-Allow-Methods', methods);
      res.set('Access-Control-Allow-Headers', requestHeaders);
      res.set('Access-Control-Max-Age', maxAge);
      res.status(204).end();
      return;
    }
    const isAllowed = await mayRead(req, origin, services);
    res.locals.isFromAllowedPage = isAllowed;
    if (isAllowed) allow(res, origin);
    next();
  };
}

function allow(res: Response, origin: string): void {
  res.set('Access-Control-Allow-Origin', origin);
  res.set('Access-Control-Expose-Headers', responseHeaders);
}

/** @throws AppError SERVICE_UNAVAILABLE while the account cannot be read: a capture would count the origin as foreign */
async function mayRead(req: Request, origin: string, services: PageServices): Promise<boolean> {
  if (services.origins.includes(origin)) return true;
  const session = services.tokens.read(bearerOf(req));
  if (!session) return false;
  const origins = await services.originsOfAccount(session.accountId);
  return origins.includes(origin);
}
