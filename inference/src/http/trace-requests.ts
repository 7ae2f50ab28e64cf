import type { RequestHandler } from 'express';
import type { Work } from './work';

/** A request of an operation that has ended. Times are milliseconds of `performance.now()`. */
export interface FinishedRequest {
  /** The caller's header, unchecked. */
  readonly traceparent: string | undefined;
  readonly operation: string;
  /** 499 if the caller disconnected before the response. */
  readonly status: number;
  readonly begin: number;
  readonly end: number;
  readonly work: readonly Work[];
}

/** Reports every request of an operation when it has ended. */
export function traceRequests(report: (request: FinishedRequest) => void): RequestHandler {
  return (req, res, next) => {
    const begin = performance.now();
    res.once('close', () => {
      const { operation, work = [] } = res.locals;
      if (operation === undefined) return;
      const status = res.writableFinished ? res.statusCode : 499;
      report({ traceparent: req.get('traceparent'), operation, status, begin, end: performance.now(), work });
    });
    next();
  };
}
