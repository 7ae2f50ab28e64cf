import type { RequestHandler } from 'express';
import type { BeforeHeaders } from './before-headers';

/**
 * Tells the client where the time went (W3C Server-Timing), on answers of operations that analyse something. Errors
 * carry none: how long a refusal took would help only those who probe for keys.
 */
export const serverTiming: BeforeHeaders = (req, res) => {
  if (req.method === 'POST' && res.statusCode === 200) {
    res.setHeader('Server-Timing', res.locals.stages.serverTiming());
  }
};

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
