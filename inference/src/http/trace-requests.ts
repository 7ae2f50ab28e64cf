import type { RequestHandler } from 'express';
import type { Work } from './work';

/** Times are milliseconds of `performance.now()`. */
export interface FinishedRequest {
  /** The caller's header, which may be anything. */
  readonly traceparent: string | undefined;
  readonly operation: string;
  /** 499 when the caller went away before the answer. */
  readonly status: number;
  readonly begin: number;
  readonly end: number;
  readonly work: readonly Work[];
}

/** Tells of every request of an operation when it has ended. */
export function traceRequests(told: (request: FinishedRequest) => void): RequestHandler {
  return (req, res, next) => {
    const begin = performance.now();
    res.once('close', () => {
      const { operation, work = [] } = res.locals;
      if (operation === undefined) return;
      const status = res.writableFinished ? res.statusCode : 499;
      told({ traceparent: req.get('traceparent'), operation, status, begin, end: performance.now(), work });
    });
    next();
  };
}
