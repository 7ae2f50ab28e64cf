import type { RequestHandler } from 'express';
import { beforeHeaders } from './before-headers';

/**
 * Tells the client where the time went (W3C Server-Timing), on answers of operations that analyse something. Errors
 * carry none: how long a refusal took would help only those who probe for keys.
 */
export function serverTiming(): RequestHandler {
  return (req, res, next) => {
    if (req.method === 'POST') {
      beforeHeaders(res, () => {
        if (res.statusCode === 200) res.set('Server-Timing', res.locals.stages.serverTiming());
      });
    }
    next();
  };
}

/** The same handler; the time until it hands on, or refuses, becomes a stage of the request. */
export function timed(stage: string, handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const { end } = res.locals.stages.begin(stage);
    return handler(req, res, (error?: unknown) => {
      end();
      next(error);
    });
  };
}
