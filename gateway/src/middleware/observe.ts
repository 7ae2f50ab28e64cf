import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { AuthenticationOutcome, Metrics } from '../observability/metrics';
import { type FinishedRequest, Stopwatch, type Tracer } from '../services/timing/stages';

/**
 * Writes one log line, one measurement and, with a trace collector, one span per request. They contain the template of
 * the route, but never a path, a body, a header, an address or an account.
 */
export function observe(logger: Logger, metrics: Metrics, tracer?: Tracer | undefined): RequestHandler {
  return (req, res, next) => {
    const stages = new Stopwatch(tracer?.request(req.get('traceparent')));
    res.locals.stages = stages;
    res.on('close', () => {
      const { requestId, operation = 'none', errorReason } = res.locals;
      const request = finished(req, res);
      const { method, status, plan, code } = request;
      const ms = stages.totalMs;
      metrics.requestSeconds.observe({ operation, status, plan }, ms / 1e3);
      if (code !== undefined) metrics.refused(code, errorReason);
      const authentication = authenticationOf(res);
      if (authentication) metrics.authenticated(authentication);
      logger.info(
        {
          requestId,
          traceId: stages.trace?.traceId,
          method,
          operation,
          status,
          code,
          reason: errorReason,
          ms: Math.round(ms),
          bytesIn: bytesIn(req),
          stages: stages.entries(),
        },
        'request',
      );
      stages.trace?.end(request);
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

function finished(req: Request, res: Response): FinishedRequest {
  // 499: the client disconnected before the response, as nginx logs it.
  const { errorCode, principal, rawStatus = 499 } = res.locals;
  return {
    method: req.method,
    route: req.route?.path,
    status: res.writableFinished ? res.statusCode : rawStatus,
    plan: principal?.plan ?? 'none',
    code: errorCode,
  };
}

/** The outcome of authentication; undefined if the route needs no key or the request failed before. */
function authenticationOf({ locals }: Response): AuthenticationOutcome | undefined {
  const { principal, errorCode, errorReason } = locals;
  if (principal) return 'accepted';
  if (errorCode === 'INVALID_API_KEY') return 'refused';
  return errorCode === 'RATE_LIMIT_EXCEEDED' && errorReason === 'authentication' ? 'limited' : undefined;
}

/** The declared length; undefined for a body in chunks. */
function bytesIn({ headers }: Request): number | undefined {
  const announced = headers['content-length'];
  return announced === undefined ? undefined : Number(announced);
}
