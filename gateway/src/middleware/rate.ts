/** The rate limit of an account, before and after its requests are read. */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors';
import type { Principal } from '../services/keys/keys';
import type { RateState } from '../services/limits/local-limiter';
import type { Metering } from '../services/metering/metering';
import type { Bucket } from '../services/metering/metering-store';

/** Reading has a limit of its own, so that a caller whose operations are limited can still see why. */
const bucketOf = ({ method }: Request): Bucket => (method === 'GET' || method === 'HEAD' ? 'reads' : 'burst');

/** Writes the state of the limit into the response headers (draft-ietf-httpapi-ratelimit-headers). */
export function rateOf(res: Response): (rate: RateState) => void {
  const bucket = bucketOf(res.req);
  return ({ limit, windowSeconds, remaining, resetMs }) => {
    res.locals.rated = true;
    res.set('RateLimit-Policy', `"${bucket}";q=${limit};w=${windowSeconds}`);
    res.set('RateLimit', `"${bucket}";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`);
  };
}

/** Rejects a request whose account is known to be over its limit, before the body is read. */
export function rejectEarly(metering: Pick<Metering, 'rejectEarly'>): RequestHandler {
  return (req, res, next) => {
    metering.rejectEarly(res.locals.principal as Principal, rateOf(res), bucketOf(req));
    next();
  };
}

/** Counts one operation toward the limit. */
export function countOperation(metering: Pick<Metering, 'count'>): RequestHandler {
  return async (req, res, next) => {
    await metering.count(res.locals.principal as Principal, 1, rateOf(res), bucketOf(req));
    next();
  };
}

/** Invalid input, a missing permission, an Idempotency-Key in use, a body that is too large, an unsupported media type. */
const counted = new Set([400, 403, 409, 413, 415]);

/**
 * Counts a request toward the limit that was rejected before it was admitted, and what refused images cost on top of the
 * one operation that is counted already.
 */
export function countRefusals(
  metering: Pick<Metering, 'count' | 'charge' | 'rejectEarly'>,
): ErrorRequestHandler {
  return async (thrown, req, res, next) => {
    const { principal, rated } = res.locals;
    if (principal && !rated && thrown instanceof ApiError && counted.has(thrown.status)) {
      metering.rejectEarly(principal, rateOf(res), bucketOf(req));
      await metering.count(principal, 1, rateOf(res), bucketOf(req));
    }
    if (principal && rated && thrown instanceof ApiError && thrown.work > 1) {
      await metering.charge(principal, thrown.work - 1, rateOf(res));
    }
    next(thrown);
  };
}
