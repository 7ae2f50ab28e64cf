import type { RequestHandler } from 'express';
import { AppError } from '../errors';

/** HTTP/1.1 asks servers to refuse requests that do not say which host they are for (RFC 9112, 3.2). */
export function requireHost(): RequestHandler {
  return (req, _res, next) => {
    if (req.httpVersion === '1.1' && req.headers.host === undefined) {
      const values = { field: 'Host', expected: 'given' };
      throw new AppError('INVALID_PARAMETERS', { reason: 'header', values });
    }
    next();
  };
}
