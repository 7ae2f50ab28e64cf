import type { RequestHandler } from 'express';
import { AppError } from '../errors';

/** HTTP/1.1 asks servers to refuse requests that do not say, once, which host they are for (RFC 9112, 3.2). */
export function requireHost(): RequestHandler {
  return (req, _res, next) => {
    if (req.httpVersion === '1.1' && req.headersDistinct.host?.length !== 1) {
      const values = { field: 'Host', expected: 'given once' };
      throw new AppError('INVALID_PARAMETERS', { reason: 'header', values });
    }
    next();
  };
}
