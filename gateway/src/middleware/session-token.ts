/** Authentication by the access token of a liveness session, in place of an API key. */
import brand from '@presenza/contract/brand.json';
import limits from '@presenza/contract/limits.json';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors';
import type { LocalLimiter } from '../services/limits/local-limiter';
import type { AccessTokens, SessionToken } from '../services/liveness/session/access-tokens';
import { sessionGone } from '../services/liveness/session/session-errors';
import { chooseVersion } from './api-version';
import { bearerOf } from './bearer';

export interface SessionAuthentication {
  readonly tokens: Pick<AccessTokens, 'read'>;
  /** Limits the calls in this process; they are not billed. */
  readonly calls: LocalLimiter;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Finds the session of the bearer token, and checks that the path names it. */
export function authenticateSession(authentication: SessionAuthentication): RequestHandler {
  return (req, res, next) => {
    const token = tokenOf(req, authentication);
    if (!token) {
      res.set('WWW-Authenticate', 'Bearer');
      throw new ApiError('INVALID_API_KEY', { reason: 'token' });
    }
    enter(req, res, token, authentication);
    next();
  };
}

/** The same for routes that also accept a key. @param withKey handles requests without an access token. */
export function authenticateEither(
  authentication: SessionAuthentication,
  withKey: RequestHandler,
): RequestHandler {
  return (req, res, next) => {
    const token = tokenOf(req, authentication);
    if (!token) return withKey(req, res, next);
    enter(req, res, token, authentication);
    next();
  };
}

/** Whether a bearer token is no API key, and so can only be an access token. */
export const mayBeToken = (bearer: string): boolean =>
  bearer !== '' && !bearer.startsWith(`${brand.keyPrefix}_`);

function tokenOf(req: Request, { tokens }: SessionAuthentication): SessionToken | undefined {
  const bearer = bearerOf(req);
  return mayBeToken(bearer) ? tokens.read(bearer) : undefined;
}

/** @throws ApiError SESSION_EXPIRED, NOT_FOUND, RATE_LIMIT_EXCEEDED or INVALID_PARAMETERS */
function enter(
  req: Request,
  res: Response,
  { accountId, sessionId, expiresAt }: SessionToken,
  { calls, now }: SessionAuthentication,
): void {
  if (req.params.sessionId !== sessionId) throw sessionGone();
  const { waitMs } = calls.take(sessionId, limits.liveness.calls, 1);
  if (waitMs > 0) {
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    throw new ApiError('RATE_LIMIT_EXCEEDED', { reason: 'sessionCalls', retryAfterSeconds });
  }
  if (now() >= expiresAt) throw new ApiError('SESSION_EXPIRED');
  res.locals.session = { accountId, sessionId };
  chooseVersion(req, res, {});
}
