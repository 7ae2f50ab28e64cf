import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { AuthenticationOutcome, Metrics } from '../observability/metrics';
import type { RequestLog } from '../services/requests/request-log';
import { type FinishedRequest, Stopwatch, type Tracer } from '../services/timing/stages';
import { declaredBytes } from './declared-bytes';

export interface Observers {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Undefined without a trace collector. */
  readonly tracer?: Tracer | undefined;
  /** Undefined: accounts have no log of their requests. */
  readonly requestLog?: Pick<RequestLog, 'add'> | undefined;
}

/**
 * Writes one log line, one measurement and, with a trace collector, one span per request. They contain the template of
 * the route, but never a path, a body, a header, an address or an account. A request with an API key is also added to the
 * log of its account.
 */
export function observe({ logger, metrics, tracer, requestLog }: Observers): RequestHandler {
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
      if (requestLog) addTo(requestLog, req, res, request);
    });
    next();
  };
}

function addTo(
  requestLog: Pick<RequestLog, 'add'>,
  req: Request,
  res: Response,
  { method, route, status, code }: FinishedRequest,
): void {
  const { principal, requestId, apiVersion, stages } = res.locals;
  if (!principal || route === undefined) return;
  const { accountId, keyId, mode } = principal;
  const ms = stages.totalMs;
  requestLog.add(accountId, {
    requestId,
    at: Date.now() - Math.round(ms),
    keyId,
    mode,
    method,
    path: route.replace(/:(\w+)/g, '{$1}'),
    status,
    code,
    ms,
    stages: stages.entries(),
    apiVersion,
    requestBytes: requestBytes(req, res),
    responseBytes: responseBytes(res),
  });
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

/** The size of the body; undefined for one in chunks that was refused unread. */
function requestBytes(req: Request, { locals: { bodyBytes } }: Response): number | undefined {
  const bytes = bodyBytes ?? declaredBytes(req, Number.NaN);
  return Number.isNaN(bytes) ? undefined : bytes;
}

/** The size of the body that was sent as a whole. */
function responseBytes(res: Response): number | undefined {
  const length = res.getHeader('content-length');
  return res.writableFinished && length !== undefined ? Number(length) : undefined;
}

/** The declared length; undefined for a body in chunks. */
function bytesIn({ headers }: Request): number | undefined {
  const announced = headers['content-length'];
  return announced === undefined ? undefined : Number(announced);
}
