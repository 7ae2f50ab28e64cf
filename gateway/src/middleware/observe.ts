import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics';

/** One log line and one measurement per request, by route template: never a path, a body or a header. */
export function observe(logger: Logger, metrics: Metrics): RequestHandler {
  return (req, res, next) => {
    const begin = performance.now();
    res.once('close', () => {
      const ms = performance.now() - begin;
      const { requestId, operation = 'none', errorCode, principal, rawStatus = 499 } = res.locals;
      // 499: the client went away before the answer, as nginx writes it.
      const status = res.writableFinished ? res.statusCode : rawStatus;
      metrics.requestSeconds.observe({ operation, status, plan: principal?.plan ?? 'none' }, ms / 1e3);
      logger.info(
        { requestId, method: req.method, operation, status, code: errorCode, ms: Math.round(ms) },
        'request',
      );
    });
    next();
  };
}

/** Names the operation of a route, for logs and metrics. */
export function operation(name: string): RequestHandler {
  return (_req, res, next) => {
    res.locals.operation = name;
    next();
  };
}
