import type { Request } from 'express';

/** The length that the headers declare: 0 without a body, `unknown` for a body in chunks. */
export function declaredBytes(req: Request, unknown: number): number {
  return req.headers['transfer-encoding'] === undefined
    ? Number(req.headers['content-length'] ?? 0)
    : unknown;
}
