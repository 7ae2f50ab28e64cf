import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { bounds } from '../bounds';
import { ApiError } from '../errors';

const { headers: maxHeaders } = bounds;

/**
 * Headers that determine the meaning of a request. Node keeps the first of several, while a proxy may use the last. Node
 * rejects a repeated Content-Length, and joins repetitions of other headers into a value that is rejected as malformed.
 */
const single = new Map([
  ['host', 'Host'],
  ['authorization', 'Authorization'],
  ['content-type', 'Content-Type'],
]);

/** The characters of a host and port (RFC 3986, 3.2.2); an empty Host is allowed. */
const hostForm = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/**
 * Rejects requests that Node's parser accepts but that another server could parse differently: repeated headers, malformed
 * hosts, other versions of HTTP. It also limits the number of headers.
 */
export function checkHeaders(): RequestHandler {
  return (req, _res, next) => {
    const { rawHeaders, headers, httpVersion } = req;
    if (rawHeaders.length / 2 > maxHeaders) {
      throw new ApiError('HEADERS_TOO_LARGE', { reason: 'count', values: { limit: maxHeaders } });
    }
    checkVersion(req);
    const seen = new Set<string>();
    // Names and values alternate.
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const field = single.get((rawHeaders[i] as string).toLowerCase());
      if (field === undefined) continue;
      if (seen.has(field)) throw malformed(field, 'given once');
      seen.add(field);
    }
    // RFC 9112, 3.2.
    if (httpVersion === '1.1' && !seen.has('Host')) throw malformed('Host', 'given once');
    if (!hostForm.test(headers.host ?? '')) throw malformed('Host', 'a host with an optional port');
    next();
  };
}

/** Node's parser accepts HTTP/0.9, HTTP/2.0 in the form of HTTP/1.1, and chunks in HTTP/1.0 (RFC 9112, 6.1). */
function checkVersion({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new ApiError('INVALID_PARAMETERS', { reason: 'http' });
  }
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    throw malformed('Transfer-Encoding', 'omitted in HTTP/1.0');
  }
}

const malformed = (field: string, expected: string) =>
  new ApiError('INVALID_PARAMETERS', { reason: 'header', values: { field, expected } });
