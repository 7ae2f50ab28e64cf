import type { RequestHandler } from 'express';
import { AppError } from '../errors';
import type { Principal } from '../services/keys/keys';
import { permission } from '../services/keys/permissions';
import { bearerOf } from './bearer';

export interface Authentication {
  /** @param address of the client. */
  authenticate(key: string, address: string): Promise<Principal | undefined>;
}

/**
 * Finds the principal behind the bearer key and whether it may call from here. A missing, malformed, unknown, expired
 * or revoked key is one and the same: what cannot be a key is looked up like one.
 */
export function authenticate(keys: Authentication): RequestHandler {
  return async (req, res, next) => {
    const { ip: address = '' } = req;
    const principal = await keys.authenticate(bearerOf(req), address);
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
