import type { RequestHandler } from 'express';
import type { Principal } from '../services/keys/keys';
import { type Attempt, permission } from '../services/keys/permissions';

/** Rejects a key that does not include the product, or may not manage keys and webhooks. Runs after `authenticate`. */
export function authorize(attempt: Pick<Attempt, 'product' | 'manages'>): RequestHandler {
  return (_req, res, next) => {
    const denial = permission(res.locals.principal as Principal, attempt);
    if (denial) throw denial;
    next();
  };
}
