import type { RequestHandler } from 'express';
import { randomBase62 } from '../crypto/base62';

// URLs contain ids, and `.` and `..` are steps of a path, even percent-encoded.
const wellFormed = /^(?!\.{1,2}$)[\w.:-]{1,128}$/;

export const newRequestId = () => `req_${randomBase62(24)}`;

/** Gives every request an id: the client's X-Request-Id if it is well-formed, otherwise a new one. */
export function requestId(): RequestHandler {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && wellFormed.test(given) ? given : newRequestId();
    res.locals.requestId = id;
    res.setHeader('X-Request-Id', id);
    next();
  };
}
