import type { Request } from 'express';

/** RFC 9110, 11.4, and RFC 6750, 2.1: a scheme in any case, one or more spaces, and here the characters of our keys. */
const credentials = /^Bearer +([\w-]{1,1024})$/i;

/** The token of the Authorization header; empty where there is none, or what is there cannot be one. */
export function bearerOf({ headers }: Pick<Request, 'headers'>): string {
  return credentials.exec(headers.authorization ?? '')?.[1] ?? '';
}
