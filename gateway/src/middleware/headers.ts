import limits from '@presenza/contract/limits.json';
import type { RequestHandler } from 'express';
import { AppError } from '../errors';

const { maxHeaders } = limits.http;

/**
 * Headers that say what a request is: Node keeps the first of several, a proxy in front may have gone by the last. Node
 * itself refuses a repeated Content-Length, and joins the values of other headers into one that is refused as malformed.
 */
const single = new Map([
  ['host', 'Host'],
  ['authorization', 'Authorization'],
  ['content-type', 'Content-Type'],
]);

/**
 * Refuses more headers than any request needs, and those that may be given only once where they are repeated. HTTP/1.1
 * requires Host as well (RFC 9112, 3.2).
 */
export function checkHeaders(): RequestHandler {
  return (req, _res, next) => {
    const { rawHeaders, httpVersion } = req;
    if (rawHeaders.length / 2 > maxHeaders) {
      throw new AppError('HEADERS_TOO_LARGE', { reason: 'count', values: { limit: maxHeaders } });
    }
    const seen = new Set<string>();
    // Names and values in turn, as they came.
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const field = single.get((rawHeaders[i] as string).toLowerCase());
      if (field === undefined) continue;
      if (seen.has(field)) throw notOnce(field);
      seen.add(field);
    }
    if (httpVersion === '1.1' && !seen.has('Host')) throw notOnce('Host');
    next();
  };
}

const notOnce = (field: string) =>
  new AppError('INVALID_PARAMETERS', { reason: 'header', values: { field, expected: 'given once' } });
