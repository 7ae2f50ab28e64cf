/** Requests with an Idempotency-Key that create something whose id follows from the key. */
import limits from '@presenza/contract/limits.json';
import { OperatorError } from '../../errors';

const retentionMs = 1_000 * limits.idempotency.retentionSeconds;
const values = { field: 'Idempotency-Key' };

/** Whether a request may still be repeated that created something then. Both times are in milliseconds since 1970. */
export const isRepeatable = ({ createdAt }: { readonly createdAt: number }, now: number) =>
  now < createdAt + retentionMs;

/** The key belongs to an earlier or different request. */
export const usedFor = (kind: string) =>
  new OperatorError(`The Idempotency-Key was used for another ${kind}`, 'IDEMPOTENCY_CONFLICT', {
    reason: 'mismatch',
    values,
  });

/** A concurrent request with the key came first. */
export const inUse = (kind: string) =>
  new OperatorError(
    `Another request with this Idempotency-Key is creating the ${kind}`,
    'IDEMPOTENCY_CONFLICT',
    {
      reason: 'inProgress',
      values,
      retryAfterSeconds: 1,
    },
  );
