import type { RequestHandler } from 'express';
import { AppError } from '../errors';
import type { KeyService } from '../services/keys';

const bearer = /^Bearer ([\w-]{1,200})$/i;

/** Finds the principal behind the bearer key. A missing, malformed, unknown or expired key is one and the same. */
export function authenticate(keys: Pick<KeyService, 'authenticate'>): RequestHandler {
  return async (req, res, next) => {
    const [, key] = bearer.exec(req.get('authorization') ?? '') ?? [];
    const principal = key === undefined ? undefined : await keys.authenticate(key);
    if (!principal) {
      res.set('WWW-Authenticate', 'Bearer');
      throw new AppError('INVALID_API_KEY');
    }
    res.locals.principal = principal;
    next();
  };
}
