import type { RequestHandler } from 'express';
import { Cancellation } from '../async/cancellation';
import { bounds } from '../bounds';
import { ApiError, ClientGone } from '../errors';

/** Time for the client to read a response that was ready just before the deadline. */
const lingerMs = bounds.responseLingerMs;

/**
 * Cancels the work on a request at its deadline, or when the client disconnects. A client that does not read its
 * response is disconnected soon after the deadline.
 */
export function deadline(ms: number): RequestHandler {
  return (_req, res, next) => {
    const end = performance.now() + ms;
    const signal = new Cancellation();
    let timer = setTimeout(() => {
      timer = setTimeout(() => res.destroy(), lingerMs);
      signal.abort(new ApiError('DEADLINE_EXCEEDED'));
    }, ms);
    res.on('close', () => {
      clearTimeout(timer);
      if (!res.writableFinished) signal.abort(new ClientGone());
    });
    res.locals.deadline = { signal, leftMs: () => end - performance.now() };
    next();
  };
}
