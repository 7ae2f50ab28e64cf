import brand from '@presenza/contract/brand.json';
import type { RequestHandler, Response } from 'express';
import { ApiError } from '../errors';
import { isLocalOrigin, isOrigin, isTrustworthyOrigin } from '../formats/origins';
import type { Liveness } from '../services/liveness/liveness';
import type { SessionToken } from '../services/liveness/session/access-tokens';
import { bearerOf } from './bearer';
import { mayBeToken } from './session-token';

/** Request headers that pages may send, besides those that browsers always allow. */
const requestHeaders = `Authorization, Content-Type, ${brand.versionHeader}, X-Frame-Light, X-Frame-Nonce, X-Frame-Signature, X-Request-Id`;
/** Response headers that pages may read. */
const responseHeaders = `Deprecation, ${brand.versionHeader}, Retry-After, Sunset, X-Request-Id`;
/** How long a browser may cache the preflight, in seconds. */
const maxAge = '600';

export type PageServices = Pick<Liveness, 'origins' | 'originsOfAccount' | 'tokens'>;

/**
 * Lets pages of some origins make a call (Fetch Standard, 3.2): those of the configuration, those of the session's account,
 * and of a test session those of the browser's own machine. The calls need no cookies, so credentials are not allowed.
 *
 * A call from another origin with an access token does nothing. It gets the same refusal whatever the state of the session,
 * and the page can read it: without that, the page would take a foreign origin for a lost connection.
 * The same goes for the response to a token that nobody issued.
 *
 * A preflight contains no access token, so nobody can know the account. It therefore allows every origin whose pages can
 * use a camera, which reveals nothing. An opaque origin, `null`, names no page: its calls are served as those of a foreign
 * client, and no page can read the response.
 * @param methods that pages may use, such as `GET, POST`.
 * @throws ApiError PERMISSION_DENIED from another origin, and SERVICE_UNAVAILABLE while the account cannot be read
 */
export function sessionCors(services: PageServices, methods: string): RequestHandler {
  return async (req, res, next) => {
    res.locals.forPages = true;
    res.vary('Origin');
    const { origin } = req.headers;
    if (origin === undefined) return next();
    const isReadable = isTrustworthyOrigin(origin) || services.origins.includes(origin);
    const isPreflight =
      req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    if (isPreflight && isReadable) {
      allow(res, origin);
      res.set('Access-Control-Allow-Methods', methods);
      res.set('Access-Control-Allow-Headers', requestHeaders);
      res.set('Access-Control-Max-Age', maxAge);
      res.status(204).end();
      return;
    }
    const bearer = bearerOf(req);
    const token = services.tokens.read(bearer);
    const isAllowed = await mayCall(origin, token, services);
    res.locals.isFromAllowedPage = isAllowed;
    const isForeign = !isAllowed && token !== undefined && isOrigin(origin);
    const isUnknown = token === undefined && mayBeToken(bearer);
    if (isAllowed || (isReadable && (isForeign || isUnknown))) allow(res, origin);
    if (isForeign) throw new ApiError('PERMISSION_DENIED', { reason: 'origin' });
    next();
  };
}

function allow(res: Response, origin: string): void {
  res.set('Access-Control-Allow-Origin', origin);
  res.set('Access-Control-Expose-Headers', responseHeaders);
}

/** @throws ApiError SERVICE_UNAVAILABLE while the account cannot be read: an allowed page would count as foreign */
async function mayCall(
  origin: string,
  token: SessionToken | undefined,
  services: PageServices,
): Promise<boolean> {
  if (services.origins.includes(origin)) return true;
  if (!token) return false;
  if (token.mode === 'test' && isLocalOrigin(origin)) return true;
  return (await services.originsOfAccount(token.accountId)).includes(origin);
}
