import { ApiError } from '../../errors';
import { type ProductId, productLabel } from '../contract/products';
import type { Principal } from './keys';

/** The parts of a request that permissions depend on. */
export interface Attempt {
  readonly product?: ProductId;
  /** Whether it manages keys or webhook endpoints. */
  readonly manages?: boolean;
  /** The client's network address. */
  readonly address?: string;
}

/** Returns PERMISSION_DENIED with its reason, or undefined if the principal may proceed. */
export function permission(
  { suspended, products, cidrs }: Principal,
  { product, manages, address }: Attempt,
): ApiError | undefined {
  if (suspended) return new ApiError('PERMISSION_DENIED', { reason: 'account' });
  if (address !== undefined && cidrs && !cidrs.includes(address)) {
    return new ApiError('PERMISSION_DENIED', { reason: 'address' });
  }
  if (product !== undefined && products && !products.includes(product)) {
    const values = { product: productLabel(product) };
    return new ApiError('PERMISSION_DENIED', { reason: 'product', values });
  }
  // A key that is limited to products could otherwise create one that is not, or send all results elsewhere.
  if (manages && products) return new ApiError('PERMISSION_DENIED', { reason: 'management' });
  return undefined;
}
