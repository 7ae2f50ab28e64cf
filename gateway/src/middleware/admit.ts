import type { RequestHandler, Response } from 'express';
import { AppError } from '../errors';
import type { AdaptiveLimit } from '../services/inference/adaptive-limit';
import type { Principal } from '../services/keys/keys';
import type { Admission, Stay } from '../services/limits/admission';
import type { SessionAddress } from '../services/liveness/session/session-store';
import { declaredBytes } from './declared-bytes';

/**
 * Refuses a request before anything of it is read when the gateway has as much in flight as it may.
 * @param maxBytes largest body of the operation. One whose length is not announced counts as it arrives.
 */
export function admit(admission: Admission, maxBytes: number): RequestHandler {
  return (req, res, next) => {
    const stay = admission.enter(Math.min(declaredBytes(req, 0), maxBytes));
    if (!stay) throw overloaded();
    res.locals.stay = stay;
    res.on('close', stay.leave);
    next();
  };
}

/**
 * Keeps one account from taking all of the room. What it may not take it has to wait for itself, so it is told that
 * too much of its own is running, and not that the service is at capacity.
 */
export function shareOut(maxBytes: number): RequestHandler {
  return (_req, res, next) => {
    const { accountId, maxRequests } = callerOf(res);
    const owner = { accountId, atLeastBytes: maxBytes, maxRequests };
    if (!(res.locals.stay as Stay).claim(owner)) throw tooMuchAtOnce();
    next();
  };
}

/** Refuses, before the body is read, what the inference tier would refuse. */
export function refuseBeyond(limit: Pick<AdaptiveLimit, 'check'>): RequestHandler {
  return (_req, res, next) => {
    limit.check(callerOf(res).accountId);
    next();
  };
}

/** Plans bound the requests that come with a key, not those of people in front of their cameras. */
function callerOf({ locals }: Response) {
  const { accountId } = (locals.principal ?? locals.session) as SessionAddress | Principal;
  return { accountId, maxRequests: locals.principal?.terms.concurrency ?? Number.POSITIVE_INFINITY };
}

/** @throws AppError when there is no room for a body that has so many bytes by now */
export function grow({ locals }: Response, bodyBytes: number): void {
  const { stay, principal, session } = locals;
  if (stay && !stay.grow(bodyBytes)) throw (principal ?? session) ? tooMuchAtOnce() : overloaded();
}

/** The same handler. Its request stays in until it is done, also when the client has left by then. */
export function untilDone(handler: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    const done = (res.locals.stay as Stay).hold();
    try {
      await handler(req, res, next);
    } finally {
      done();
    }
  };
}

const overloaded = () => new AppError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 1 });
const tooMuchAtOnce = () =>
  new AppError('RATE_LIMIT_EXCEEDED', { reason: 'concurrency', retryAfterSeconds: 1 });
