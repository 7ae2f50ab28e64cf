import limits from '@presenza/contract/limits.json';
import type { Request, Response } from 'express';
import { ApiError } from '../errors';
import { wrongHeader } from '../errors/expectation';
import type { Principal } from '../services/keys/keys';
import { fingerprint } from '../services/metering/fingerprint';
import type { Idempotency } from '../services/metering/metering-store';

const { maxKeyLength } = limits.idempotency;
const wellFormed = new RegExp(`^[!-~]{1,${maxKeyLength}}$`);

/** Marks the response to a request that was served before with the same key. */
export function markRepeat(res: Response): void {
  res.set('Idempotent-Replayed', 'true');
}

/**
 * The Idempotency-Key of a request, with its sender: nobody gets the response to the request of another.
 * @returns undefined without one. @throws ApiError INVALID_PARAMETERS
 */
export function idempotencyKeyOf(
  req: Request,
  { keyId, createdBy = '' }: Pick<Principal, 'keyId' | 'createdBy'>,
): string | undefined {
  const key = req.get('idempotency-key');
  if (key === undefined) return undefined;
  // The members of an account share the key id of the playground.
  if (wellFormed.test(key)) return `${keyId} ${createdBy} ${key}`;
  const malformed = wrongHeader('Idempotency-Key', 'idempotencyKey', { limit: maxKeyLength });
  throw new ApiError('INVALID_PARAMETERS', malformed);
}

/** The Idempotency-Key with what a repeated request must match. @throws ApiError INVALID_PARAMETERS */
export function idempotencyOf(
  req: Request,
  principal: Principal,
  operation: string,
): Idempotency | undefined {
  const key = idempotencyKeyOf(req, principal);
  return key === undefined ? undefined : { key, fingerprint: fingerprint(operation, req.body) };
}
