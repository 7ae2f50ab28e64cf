/**
 * Reads JSON bodies. What is too large is left unread, which the libraries do not do: they read it to its end
 * before they refuse it.
 */
import { MIMEType } from 'node:util';
import type { Request, RequestHandler } from 'express';
import { AppError, ClientGone } from '../errors';

/**
 * Leaves the parsed body, of at most `maxBytes`, in `req.body`.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or INVALID_PARAMETERS
 */
export function jsonBody(maxBytes: number): RequestHandler {
  return async (req, res, next) => {
    const expected = declaredBytes(req, maxBytes);
    if (expected === 0) throw new AppError('INVALID_PARAMETERS', { reason: 'body' });
    checkMediaType(req);
    if (expected > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE');
    if (req.headers.expect !== undefined) res.writeContinue();
    req.body = parse(await read(req, maxBytes));
    next();
  };
}

/** Bytes that the headers announce: 0 without a body, `unknown` where only its end will tell. */
export function declaredBytes(req: Request, unknown: number): number {
  return req.headers['transfer-encoding'] === undefined
    ? Number(req.headers['content-length'] ?? 0)
    : unknown;
}

function checkMediaType({ headers }: Request): void {
  if (!isJson(headers['content-type'] ?? '')) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { reason: 'contentType' });
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { reason: 'contentEncoding' });
  }
}

function isJson(contentType: string): boolean {
  try {
    const { essence, params } = new MIMEType(contentType);
    return essence === 'application/json' && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8');
  } catch {
    return false;
  }
}

function read(req: Request, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(new AppError('PAYLOAD_TOO_LARGE'));
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.once('close', () => reject(new ClientGone()));
  });
}

/** The parser's error quotes the body: it is not kept as the cause, so it can never reach a log. */
function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new AppError('INVALID_PARAMETERS', { reason: 'body' });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new AppError('INVALID_PARAMETERS', { reason: 'json' });
  }
}
