import type { RequestHandler, Response } from 'express';
import { ApiError } from '../errors';
import { sourceOf } from '../formats/addresses';
import type { AdaptiveLimit } from '../services/inference/adaptive-limit';
import type { Principal } from '../services/keys/keys';
import type { Admission, Owner, Permit } from '../services/limits/admission';
import type { SessionAddress } from '../services/liveness/session/session-store';
import { declaredBytes } from './declared-bytes';

/**
 * Rejects a request before its body is read if the gateway has its maximum of requests or bytes in flight.
 * @param maxBytes largest body of the operation. A body without a declared length counts as it arrives.
 */
export function admit(admission: Admission, maxBytes: number): RequestHandler {
  return (req, res, next) => {
    const permit = admission.enter(Math.min(declaredBytes(req, 0), maxBytes));
    if (!permit) throw overloaded();
    res.locals.permit = permit;
    res.on('close', permit.release);
    next();
  };
}

/**
 * Keeps one account from taking the whole capacity. The account itself causes this rejection, so the error reports its
 * concurrency and not the load of the service.
 */
export function claimShare(maxBytes: number): RequestHandler {
  return (_req, res, next) => {
    const { accountId, maxRequests } = callerOf(res);
    claim(res, { id: accountId, atLeastBytes: maxBytes, maxRequests });
    next();
  };
}

/** Keeps one person, or the strangers at one address, from taking the whole capacity of the console. */
export function claimVisitorShare(maxBytes: number): RequestHandler {
  return (req, res, next) => {
    const { signedIn } = res.locals;
    const id = signedIn ? `person:${signedIn.user.id}` : `source:${sourceOf(req.ip ?? '')}`;
    claim(res, { id, atLeastBytes: maxBytes, maxRequests: Number.POSITIVE_INFINITY });
    next();
  };
}

function claim({ locals }: Response, owner: Owner): void {
  if (!(locals.permit as Permit).claim(owner)) throw tooManyAtOnce();
}

/** Rejects, before the body is read, a request that the inference tier would reject. */
export function shedLoad(limit: Pick<AdaptiveLimit, 'check'>): RequestHandler {
  return (_req, res, next) => {
    limit.check(callerOf(res).accountId);
    next();
  };
}

/** Plans limit the requests that an API key makes, not those of people in front of their cameras. */
function callerOf({ locals }: Response) {
  const { accountId } = (locals.principal ?? locals.session) as SessionAddress | Principal;
  return { accountId, maxRequests: locals.principal?.terms.concurrency ?? Number.POSITIVE_INFINITY };
}

/** @throws ApiError when the bytes that have arrived so far exceed the capacity */
export function grow({ locals }: Response, bodyBytes: number): void {
  const { permit, principal, session } = locals;
  if (permit && !permit.grow(bodyBytes)) throw (principal ?? session) ? tooManyAtOnce() : overloaded();
}

/** Keeps the permit until the handler is done, even if the client has disconnected by then. */
export function holdUntilDone(handler: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    const done = (res.locals.permit as Permit).hold();
    try {
      await handler(req, res, next);
    } finally {
      done();
    }
  };
}

const overloaded = () => new ApiError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 1 });
const tooManyAtOnce = () =>
  new ApiError('RATE_LIMIT_EXCEEDED', { reason: 'concurrency', retryAfterSeconds: 1 });
