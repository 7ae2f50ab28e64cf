import type { RequestHandler } from 'express';
import type { ProductId } from '../services/contract/products';
import type { Principal } from '../services/keys/keys';
import { permission } from '../services/keys/permissions';

/** Rejects a key that does not include the product. Runs after `authenticate`. */
export function authorize(product: ProductId): RequestHandler {
  return (_req, res, next) => {
    const denial = permission(res.locals.principal as Principal, { product });
    if (denial) throw denial;
    next();
  };
}
