import type { RequestHandler } from 'express';
import { AppError, ClientGone } from '../errors';
import { Cancellation } from '../services/cancellation';

/** Bounds the work on a request that has been read: it ends at the deadline, or when the client goes away. */
export function deadline(ms: number): RequestHandler {
  return (_req, res, next) => {
    const end = performance.now() + ms;
    const signal = new Cancellation();
    const timer = setTimeout(() => signal.abort(new AppError('DEADLINE_EXCEEDED')), ms);
    res.on('close', () => {
      clearTimeout(timer);
      if (!res.writableFinished) signal.abort(new ClientGone());
    });
    res.locals.deadline = { signal, leftMs: () => end - performance.now() };
    next();
  };
}
