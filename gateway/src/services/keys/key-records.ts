/** The stored record of an API key, and its scope. */
import limits from '@presenza/contract/limits.json';
import { OperatorError } from '../../errors';
import { wrongValue } from '../../errors/expectation';
import { AddressList, isRange } from '../../formats/addresses';
import { type ProductId, productIds } from '../contract/products';
import { maySet } from '../rights/property-grants';
import { checkName } from './accounts';
import type { KeyMode } from './api-key';

/** The scope and expiry of a key. */
export interface KeyScope {
  readonly name?: string;
  /** Absent: every product. */
  readonly products?: readonly ProductId[];
  /** Addresses and ranges that requests may come from; absent: any. */
  readonly cidrs?: readonly string[];
  /** Milliseconds since 1970; absent: never. */
  readonly expiresAt?: number;
  /** Whether it may read audit images, which only operators can allow. */
  readonly auditImages?: boolean;
}

export interface KeyRecord extends KeyScope {
  readonly id: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Keyed hash of the key, see `hashKey`. */
  readonly hash: string;
  readonly createdAt: number;
  /** Id of the user who created it, also with another key of theirs; absent for operators. */
  readonly createdBy?: string;
  /** Id of the key that created it by the API. It keeps working after that key ends. */
  readonly createdByKey?: string;
  readonly revokedAt?: number;
  /** Id of the key that replaced this one. */
  readonly rolledTo?: string;
}

/** When a key stops or stopped working, in milliseconds since 1970; Infinity if never. */
export const endOf = ({ revokedAt = Infinity, expiresAt = Infinity }: KeyRecord) =>
  Math.min(revokedAt, expiresAt);

/** @throws OperatorError */
export function checkScope({ name, products, cidrs }: KeyScope): void {
  if (name !== undefined) checkName(name, limits.keys.maxNameLength);
  if (products && (products.length === 0 || !products.every((id) => productIds.includes(id)))) {
    throw new OperatorError(`A key is limited to one or more of ${productIds.join(', ')}`);
  }
  if (!cidrs) return;
  const { maxAddresses } = limits.keys;
  if (cidrs.length === 0 || cidrs.length > maxAddresses) {
    throw new OperatorError(`A key is limited to 1 to ${maxAddresses} addresses or ranges`);
  }
  const wrong = cidrs.find((cidr) => !isRange(cidr));
  if (wrong !== undefined) {
    throw new OperatorError(
      `"${wrong}" is no address and no range such as 192.0.2.0/24`,
      'INVALID_PARAMETERS',
      wrongValue('cidrs', 'addresses'),
    );
  }
}

/**
 * The scope of a key that another key creates: its addresses, products and end are those of its maker unless it has its
 * own. It may have only what `property-grants.ts` lets keys set.
 * @param scope that `checkScope` accepts.
 * @throws OperatorError if it would allow more than its maker
 */
export function narrowed(maker: KeyRecord, scope: KeyScope): KeyScope {
  const { cidrs = maker.cidrs, products = maker.products, expiresAt = maker.expiresAt } = scope;
  const allowed = maker.cidrs && new AddressList(maker.cidrs);
  const isWider =
    !maySet('key', 'key', scope) ||
    (allowed && !cidrs?.every((range) => allowed.contains(range))) ||
    (maker.products && !products?.every((product) => maker.products?.includes(product))) ||
    (expiresAt ?? Infinity) > (maker.expiresAt ?? Infinity);
  if (isWider) {
    throw new OperatorError('A key must not allow more than the key that creates it', 'PERMISSION_DENIED', {
      reason: 'wider',
    });
  }
  return {
    ...scope,
    ...(cidrs && { cidrs }),
    ...(products && { products }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** Whether two keys have the same scope. */
export const sameScope = (scope: KeyScope, other: KeyScope) => scopeText(scope) === scopeText(other);

const scopeText = ({ name, products, cidrs, expiresAt, auditImages = false }: KeyScope) =>
  JSON.stringify([name, products, cidrs, expiresAt, auditImages]);
