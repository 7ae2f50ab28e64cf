/** The rate limit around a request: refused before its body is read where that is known, counted also when it fails. */
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { AppError } from '../errors';
import type { Principal } from '../services/keys/keys';
import type { RateState } from '../services/limits/local-limiter';
import type { Metering } from '../services/metering/metering';

/** Takes the state of the limit for the answer's headers (draft-ietf-httpapi-ratelimit-headers). */
export function rateOf(res: Response): (rate: RateState) => void {
  return ({ limit, windowSeconds, remaining, resetMs }) => {
    res.locals.rated = true;
    res.set('RateLimit-Policy', `"burst";q=${limit};w=${windowSeconds}`);
    res.set('RateLimit', `"burst";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`);
  };
}

/** What a flood sends is not read at all. */
export function refuseEarly(metering: Pick<Metering, 'refuseEarly'>): RequestHandler {
  return (_req, res, next) => {
    metering.refuseEarly(res.locals.principal as Principal, rateOf(res));
    next();
  };
}

/** Refusals of what a request says, or is: bad input, no permission, too large, of no known type. */
const counted = new Set([400, 403, 413, 415]);

/** A request that is refused before it was admitted counts toward the rate limit like any other. */
export function countRefusals(metering: Pick<Metering, 'count' | 'refuseEarly'>): ErrorRequestHandler {
  return async (thrown, _req, res, next) => {
    const { principal, rated } = res.locals;
    if (principal && !rated && thrown instanceof AppError && counted.has(thrown.status)) {
      metering.refuseEarly(principal, rateOf(res));
      await metering.count(principal, 1, rateOf(res));
    }
    next(thrown);
  };
}
