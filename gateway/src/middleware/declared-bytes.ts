import type { Request } from 'express';

/** Bytes that the headers announce: 0 without a body, `unknown` where only its end will tell. */
export function declaredBytes(req: Request, unknown: number): number {
  return req.headers['transfer-encoding'] === undefined
    ? Number(req.headers['content-length'] ?? 0)
    : unknown;
}
