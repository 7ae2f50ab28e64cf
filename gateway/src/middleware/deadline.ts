import type { RequestHandler } from 'express';
import { AppError, ClientGone } from '../errors';

/** Bounds the work on a request that has been read: it ends at the deadline, or when the client goes away. */
export function deadline(ms: number): RequestHandler {
  return (_req, res, next) => {
    const end = performance.now() + ms;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new AppError('DEADLINE_EXCEEDED')), ms);
    res.once('close', () => {
      clearTimeout(timer);
      if (!res.writableFinished) controller.abort(new ClientGone());
    });
    res.locals.deadline = { signal: controller.signal, leftMs: () => end - performance.now() };
    next();
  };
}
