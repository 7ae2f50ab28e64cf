import { AppError } from '../../errors';
import { type ProductId, productLabel } from '../contract/products';
import type { Principal } from './keys';

/** What a request is about to do, as far as it is known. */
export interface Attempt {
  readonly product?: ProductId;
  /** The client's network address. */
  readonly address?: string;
}

/** Why a principal may not do that: PERMISSION_DENIED with a reason; undefined when it may. */
export function permission(
  { suspended, products, cidrs }: Principal,
  { product, address }: Attempt,
): AppError | undefined {
  if (suspended) return new AppError('PERMISSION_DENIED', { reason: 'account' });
  if (address !== undefined && cidrs && !cidrs.includes(address)) {
    return new AppError('PERMISSION_DENIED', { reason: 'address' });
  }
  if (product !== undefined && products && !products.includes(product)) {
    const values = { product: productLabel(product) };
    return new AppError('PERMISSION_DENIED', { reason: 'product', values });
  }
  return undefined;
}
