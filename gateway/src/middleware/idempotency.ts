import catalogue from '@presenza/contract/errors.json';
import limits from '@presenza/contract/limits.json';
import type { Request, Response } from 'express';
import { AppError } from '../errors';
import { fingerprint } from '../services/metering/fingerprint';
import type { Idempotency } from '../services/metering/metering-store';

const { maxKeyLength } = limits.idempotency;
const wellFormed = new RegExp(`^[!-~]{1,${maxKeyLength}}$`);

/** Marks the response to a request that was served before with the same key. */
export function markReplay(res: Response): void {
  res.set('Idempotent-Replayed', 'true');
}

/**
 * Parses the Idempotency-Key header; undefined without one.
 * @throws AppError INVALID_PARAMETERS
 */
export function idempotencyOf(req: Request, operation: string): Idempotency | undefined {
  const key = req.get('idempotency-key');
  if (key === undefined) return undefined;
  if (!wellFormed.test(key)) {
    const { idempotencyKey } = catalogue.INVALID_PARAMETERS.expectations;
    const expected = idempotencyKey.replace('{limit}', String(maxKeyLength));
    throw new AppError('INVALID_PARAMETERS', {
      reason: 'header',
      values: { field: 'Idempotency-Key', expected },
    });
  }
  return { key, fingerprint: fingerprint(operation, req.body) };
}
