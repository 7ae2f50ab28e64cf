import express, { type RequestHandler } from 'express';
import { AppError } from '../errors';

/**
 * Reads a JSON body of at most `maxBytes`.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for a body of another kind; parser errors are mapped by `errors`.
 */
export function jsonBody(maxBytes: number): RequestHandler[] {
  return [
    (req, _res, next) => {
      if (req.is('application/json') === false) {
        throw new AppError('UNSUPPORTED_MEDIA_TYPE', { reason: 'contentType' });
      }
      next();
    },
    express.json({ limit: maxBytes, inflate: false, strict: false }),
  ];
}
