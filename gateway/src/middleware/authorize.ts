import type { RequestHandler } from 'express';
import type { ProductId } from '../services/contract/products';
import type { Principal } from '../services/keys/keys';
import { permission } from '../services/keys/permissions';

/** Lets a request pass whose key allows the product. Stands behind `authenticate`. */
export function authorize(product: ProductId): RequestHandler {
  return (_req, res, next) => {
    const denial = permission(res.locals.principal as Principal, { product });
    if (denial) throw denial;
    next();
  };
}
