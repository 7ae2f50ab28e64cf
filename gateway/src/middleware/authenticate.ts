import type { RequestHandler } from 'express';
import { ApiError } from '../errors';
import type { Principal } from '../services/keys/keys';
import { permission } from '../services/keys/permissions';
import { chooseVersion } from './api-version';
import { bearerOf } from './bearer';

export interface Authentication {
  /** @param address of the client. */
  authenticate(key: string, address: string): Promise<Principal | undefined>;
}

/**
 * Finds the principal of the bearer key and its API version, and checks that it may call from this address. Missing,
 * malformed, unknown, expired and revoked keys are indistinguishable: even a malformed key is looked up.
 */
export function authenticate(keys: Authentication): RequestHandler {
  return async (req, res, next) => {
    const { ip: address = '' } = req;
    const principal = await keys.authenticate(bearerOf(req), address);
    if (!principal) {
      res.set('WWW-Authenticate', 'Bearer');
      throw new ApiError('INVALID_API_KEY');
    }
    res.locals.principal = principal;
    chooseVersion(req, res, principal);
    const denial = permission(principal, { address });
    if (denial) throw denial;
    next();
  };
}
