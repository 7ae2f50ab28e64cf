import type { Response } from 'express';
import { bounds } from '../bounds';
import { rateOf } from '../middleware/rate';
import type { Principal } from '../services/keys/keys';
import type { Metering } from '../services/metering/metering';
import type { Idempotency, MeteredItem } from '../services/metering/metering-store';
import type { Ticket } from '../services/metering/ticket';

export interface RequestedUnits {
  /** Operations that count toward the rate limit. */
  readonly operations: number;
  readonly items: readonly MeteredItem[];
  /** How long the request may take. */
  readonly deadlineMs: number;
  readonly idempotency: Idempotency | undefined;
}

/**
 * Admits a request under the rate limit, the concurrency and the quota of its account, in one round trip.
 * @throws ApiError RATE_LIMIT_EXCEEDED, IDEMPOTENCY_CONFLICT or SERVICE_UNAVAILABLE
 */
export async function reserve(
  res: Response,
  { operations, items, deadlineMs, idempotency }: RequestedUnits,
  metering: Pick<Metering, 'admit'>,
): Promise<Ticket> {
  const { stages, principal } = res.locals;
  const leaseMs = deadlineMs + bounds.leaseMarginMs;
  const admission = { operations, items, leaseMs, idempotency };
  return stages.time('meter', metering.admit(principal as Principal, admission, rateOf(res)));
}
