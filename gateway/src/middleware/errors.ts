/** Turns whatever was thrown into the envelope of the contract. Unknown errors answer a generic 500 and are logged. */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { AppError, ClientGone, envelope } from '../errors';

export function notFound(): RequestHandler {
  return () => {
    throw new AppError('NOT_FOUND', { reason: 'operation' });
  };
}

export function methodNotAllowed(allowed: string): RequestHandler {
  return (_req, res) => {
    res.set('Allow', allowed);
    throw new AppError('METHOD_NOT_ALLOWED');
  };
}

export function errors(logger: Logger): ErrorRequestHandler {
  return (thrown, _req, res, _next) => {
    if (thrown instanceof ClientGone) return;
    const error = asAppError(thrown);
    const { requestId, stages } = res.locals;
    const traceId = stages.trace?.traceId;
    // Shedding and deadlines are no breakage: the request's own line tells them.
    if (error.code === 'INTERNAL_ERROR' || error.cause !== undefined)
      logger.error({ requestId, traceId, code: error.code, err: describe(error) }, 'request failed');
    if (res.headersSent) {
      res.destroy();
      return;
    }
    res.locals.errorCode = error.code;
    res.locals.errorReason = error.body.reason;
    if (error.retryAfterSeconds !== undefined) res.set('Retry-After', String(error.retryAfterSeconds));
    res.status(error.status).json(envelope(error, requestId));
  };
}

/** For what even `errors` failed on. It looks at nothing of the error, so it cannot fail on it. */
export function lastResort(): ErrorRequestHandler {
  return (_thrown, _req, res, _next) => {
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const error = new AppError('INTERNAL_ERROR');
    res.locals.errorCode = error.code;
    res.status(error.status).json(envelope(error, res.locals.requestId));
  };
}

function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  // Paths that cannot be percent-decoded.
  if (thrown instanceof URIError) return new AppError('NOT_FOUND', { reason: 'operation' });
  return new AppError('INTERNAL_ERROR', { cause: thrown });
}

/** Names, messages and stacks of an error and its causes; no other property, which could hold a body or a key. */
function describe(error: Error): unknown {
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: describe(error.cause) } : {}),
  };
}
