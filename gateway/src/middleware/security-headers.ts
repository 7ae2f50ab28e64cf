import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

/**
 * Sets the headers of helmet. They are the same on every response, so helmet runs once and not its dozen handlers for
 * each request. `no-store` keeps personal data out of caches.
 */
export function securityHeaders(options: HelmetOptions): RequestHandler {
  const example = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(example.req, example, () => {});
  const headers = Object.entries({ ...example.getHeaders(), 'Cache-Control': 'no-store' }) as [
    string,
    string,
  ][];
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}
