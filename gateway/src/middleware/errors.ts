/** Turns whatever was thrown into the envelope of the contract. Unknown errors answer a generic 500 and are logged. */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { AppError, type AppErrorOptions, type ErrorCode } from '../errors';

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
    const error = asAppError(thrown);
    const { requestId } = res.locals;
    if (error.status >= 500)
      logger.error({ requestId, code: error.code, err: describe(error) }, 'request failed');
    if (res.headersSent) {
      res.destroy();
      return;
    }
    res.locals.errorCode = error.code;
    if (error.retryAfterSeconds !== undefined) res.set('Retry-After', String(error.retryAfterSeconds));
    res.status(error.status).json({ success: false, error: error.body, requestId });
  };
}

/** What body-parser's and Express's own errors mean to a client, by their `type`. */
const parserErrors: Readonly<Record<string, [ErrorCode, AppErrorOptions]>> = {
  'entity.parse.failed': ['INVALID_PARAMETERS', { reason: 'json' }],
  'entity.too.large': ['PAYLOAD_TOO_LARGE', {}],
  'encoding.unsupported': ['UNSUPPORTED_MEDIA_TYPE', { reason: 'contentEncoding' }],
  'charset.unsupported': ['UNSUPPORTED_MEDIA_TYPE', { reason: 'contentType' }],
  'request.aborted': ['INVALID_PARAMETERS', { reason: 'json' }],
  'request.size.invalid': ['INVALID_PARAMETERS', { reason: 'json' }],
};

function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const type = (thrown as { type?: unknown } | null)?.type;
  const known = typeof type === 'string' ? parserErrors[type] : undefined;
  // A parser's error quotes the body it failed on: it is not kept as the cause, so it can never reach a log.
  if (known) return new AppError(...known);
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
