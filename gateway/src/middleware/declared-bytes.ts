import type { IncomingMessage } from 'node:http';

/** The length that the headers declare: 0 without a body, `unknown` for a body in chunks. */
export function declaredBytes({ headers }: IncomingMessage, unknown: number): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : unknown;
}
