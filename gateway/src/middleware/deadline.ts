import type { RequestHandler } from 'express';
import { Cancellation } from '../async/cancellation';
import { AppError, ClientGone } from '../errors';

/** Time for the client to take the answer, the last of which may have been made at the deadline. */
export const lingerMs = 5_000;

/**
 * Bounds the work on a request that has been read: it ends at the deadline, or when the client goes away. A client
 * that does not read its answer is cut off soon after.
 */
export function deadline(ms: number): RequestHandler {
  return (_req, res, next) => {
    const end = performance.now() + ms;
    const signal = new Cancellation();
    let timer = setTimeout(() => {
      timer = setTimeout(() => res.destroy(), lingerMs);
      signal.abort(new AppError('DEADLINE_EXCEEDED'));
    }, ms);
    res.on('close', () => {
      clearTimeout(timer);
      if (!res.writableFinished) signal.abort(new ClientGone());
    });
    res.locals.deadline = { signal, leftMs: () => end - performance.now() };
    next();
  };
}
