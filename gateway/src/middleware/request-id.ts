import type { RequestHandler } from 'express';
import { randomBase62 } from '../services/base62';

const wellFormed = /^[\w.:-]{1,128}$/;

export const newRequestId = () => `req_${randomBase62(24)}`;

/** Gives every request an id: the client's X-Request-Id where it is well-formed, else a new one. */
export function requestId(): RequestHandler {
  return (req, res, next) => {
    const given = req.get('x-request-id');
    res.locals.requestId = given !== undefined && wellFormed.test(given) ? given : newRequestId();
    res.set('X-Request-Id', res.locals.requestId);
    next();
  };
}
