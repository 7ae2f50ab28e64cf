import type { RequestHandler } from 'express';
import type { StageName } from '../services/timing/stages';
import type { BeforeHeaders } from './before-headers';

/**
 * Reports the time of each stage (W3C Server-Timing) on successful POST responses. Errors carry no times, which would
 * help only those who probe for keys.
 */
export const serverTiming: BeforeHeaders = (req, res) => {
  if (req.method === 'POST' && res.statusCode === 200) {
    res.setHeader('Server-Timing', res.locals.stages.serverTiming());
  }
};

/** Measures a handler as a stage of the request, until it calls `next` or rejects. */
export function timed(stage: StageName, handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const { end } = res.locals.stages.begin(stage);
    return handler(req, res, (error?: unknown) => {
      end();
      next(error);
    });
  };
}
