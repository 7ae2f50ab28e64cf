import type { RequestHandler } from 'express';
import { AppError } from '../errors';
import type { Admission } from '../services/admission';
import { declaredBytes } from './body/receive';

/**
 * Refuses a request before anything of it is read when the gateway has as much in flight as it may.
 * @param maxBytes largest body of the operation, reserved whole where the length is not announced.
 */
export function admit(admission: Admission, maxBytes: number): RequestHandler {
  return (req, res, next) => {
    const release = admission.enter(Math.min(declaredBytes(req, maxBytes), maxBytes));
    if (!release) throw new AppError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 1 });
    res.on('close', release);
    next();
  };
}
