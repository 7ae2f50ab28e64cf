/** Turns any thrown value into the envelope of the contract. An unknown error is logged and becomes a generic 500. */
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { AppError, asAppError, ClientGone, describe, type ErrorLinks, envelope } from '../errors';
import type { Refusal } from '../errors/refusal';
import { allowOf } from '../services/contract/operations';

export function notFound(): RequestHandler {
  return () => {
    throw new AppError('NOT_FOUND', { reason: 'operation' });
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
    if (req.method !== 'OPTIONS') throw new AppError('METHOD_NOT_ALLOWED');
    res.status(204).end();
  };
}

/** Responds to a refusal of the console or of an operators' operation with its own sentence. */
export function respondWithRefusal({ body, publicError }: Refusal, res: Response): void {
  const { status, retryAfterSeconds } = publicError;
  Object.assign(res.locals, { errorCode: body.code, errorReason: body.reason });
  if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
  res.status(status).json({ success: false, error: body, requestId: res.locals.requestId });
}

/** Logs defects. The request's own log line reports load shedding and deadlines. */
export function logFailure(
  logger: Logger,
  { requestId, stages }: Pick<Express.Locals, 'requestId' | 'stages'>,
): (error: AppError) => void {
  return (error) => {
    if (error.code !== 'INTERNAL_ERROR' && error.cause === undefined) return;
    const traceId = stages.trace?.traceId;
    logger.error({ requestId, traceId, code: error.code, err: describe(error) }, 'request failed');
  };
}

export function errors(logger: Logger, links: ErrorLinks = {}): ErrorRequestHandler {
  return (thrown, _req, res, _next) => {
    if (thrown instanceof ClientGone) return;
    const error = asAppError(thrown);
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
    const error = new AppError('INTERNAL_ERROR');
    res.locals.errorCode = error.code;
    res.status(error.status).json(envelope(error, res.locals, links));
  };
}
