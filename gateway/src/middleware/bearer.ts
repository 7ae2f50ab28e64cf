import type { Request } from 'express';

/** RFC 9110, 11.4: the scheme in any case, one or more spaces, then a token; ours have only these characters. */
const credentials = /^Bearer +([\w-]{1,1024})$/i;

/** The token of the Authorization header; empty if it is missing or malformed. */
export function bearerOf({ headers }: Pick<Request, 'headers'>): string {
  return credentials.exec(headers.authorization ?? '')?.[1] ?? '';
}
