import type { RequestHandler } from 'express';
import { AppError } from '../errors';

/** HTTP/1.1 asks servers to refuse requests that do not say, once, which host they are for (RFC 9112, 3.2). */
export function requireHost(): RequestHandler {
  return (req, _res, next) => {
    if (req.httpVersion === '1.1' && countOf('host', req.rawHeaders) !== 1) {
      const values = { field: 'Host', expected: 'given once' };
      throw new AppError('INVALID_PARAMETERS', { reason: 'header', values });
    }
    next();
  };
}

/** @param raw names and values in turn, as they came; Node's own list of all values costs a map and a list for each. */
function countOf(name: string, raw: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const given = raw[i] as string;
    if (given.length === name.length && given.toLowerCase() === name) count++;
  }
  return count;
}
