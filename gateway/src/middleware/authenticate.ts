import type { RequestHandler } from 'express';
import { AppError } from '../errors';
import type { Principal } from '../services/keys/keys';
import { permission } from '../services/keys/permissions';

export interface Authentication {
  /** @param address of the client. */
  authenticate(key: string, address: string): Promise<Principal | undefined>;
}

const bearer = /^Bearer ([\w-]{1,200})$/i;

/**
 * Finds the principal behind the bearer key and whether it may call from here. A missing, malformed, unknown, expired
 * or revoked key is one and the same: what cannot be a key is looked up like one.
 */
export function authenticate(keys: Authentication): RequestHandler {
  return async (req, res, next) => {
    const [, key = ''] = bearer.exec(req.headers.authorization ?? '') ?? [];
    const { ip: address = '' } = req;
    const principal = await keys.authenticate(key, address);
    if (!principal) {
      res.set('WWW-Authenticate', 'Bearer');
      throw new AppError('INVALID_API_KEY');
    }
    res.locals.principal = principal;
    const denial = permission(principal, { address });
    if (denial) throw denial;
    next();
  };
}
