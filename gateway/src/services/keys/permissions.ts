import { AppError } from '../../errors';
import { type ProductId, productLabel } from '../contract/products';
import type { Principal } from './keys';

/** The parts of a request that permissions depend on. */
export interface Attempt {
  readonly product?: ProductId;
  /** The client's network address. */
  readonly address?: string;
}

/** Returns PERMISSION_DENIED with its reason, or undefined if the principal may proceed. */
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
