/** Turns any thrown value into the envelope of the contract. An unknown error is logged and becomes a generic 500. */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import {
  ApiError,
  asRequestError,
  ClientGone,
  type ErrorLinks,
  envelope,
  type OperatorErrorForm,
  type RequestError,
} from '../errors';
import { describe } from '../errors/explain';
import { allowOf } from '../services/contract/operations';

export function notFound(): RequestHandler {
  return () => {
    throw new ApiError('NOT_FOUND', { reason: 'operation' });
  };
}

/**
 * Responds to any other method of a path: to OPTIONS with the methods of the path (RFC 9110, 9.3.7), else with 405.
 * @param methods of the path, in upper or lower case.
 */
export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allowed = allowOf(methods);
  return (req, res) => {
    res.set('Allow', allowed);
    if (req.method !== 'OPTIONS') throw new ApiError('METHOD_NOT_ALLOWED');
    res.status(204).end();
  };
}

/** Lets callers of a path see each `OperatorError` in this form. */
export function showOperatorErrors(form: OperatorErrorForm): RequestHandler {
  return (_req, res, next) => {
    res.locals.operatorErrors = form;
    next();
  };
}

/** Logs defects. The request's own log line reports load shedding and deadlines. */
export function logFailure(
  logger: Logger,
  { requestId, stages }: Pick<Express.Locals, 'requestId' | 'stages'>,
): (error: RequestError) => void {
  return (error) => {
    if (error.code !== 'INTERNAL_ERROR' && error.cause === undefined) return;
    const traceId = stages.trace?.traceId;
    logger.error({ requestId, traceId, code: error.code, err: describe(error) }, 'request failed');
  };
}

export function errors(logger: Logger, links: ErrorLinks = {}): ErrorRequestHandler {
  return (thrown, _req, res, _next) => {
    if (thrown instanceof ClientGone) return;
    const error = asRequestError(thrown, res.locals);
    logFailure(logger, res.locals)(error);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    // Replaces the media type of the planned response.
    res.removeHeader('Content-Type');
    res.locals.errorCode = error.code;
    res.locals.errorReason = error.body.reason;
    if (error.retryAfterSeconds !== undefined) res.set('Retry-After', String(error.retryAfterSeconds));
    res.status(error.status).json(envelope(error, res.locals, links));
  };
}

/** Responds to errors on which `errors` itself fails. It reads nothing of the error, so it cannot fail on it. */
export function lastResort(links: ErrorLinks = {}): ErrorRequestHandler {
  return (_thrown, _req, res, _next) => {
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const error = new ApiError('INTERNAL_ERROR');
    res.locals.errorCode = error.code;
    res.status(error.status).json(envelope(error, res.locals, links));
  };
}
