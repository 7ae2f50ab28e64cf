/** The store that metering needs, and their common types. */
import limits from '@presenza/contract/limits.json';
import type { Principal } from '../keys/keys';
import type { RateState } from '../limits/local-limiter';
import type { ProductGroup } from '../plans/terms';

/** How long an idempotency key is remembered. */
export const idempotencyMs = limits.idempotency.retentionSeconds * 1_000;

/** One operation of a request, which uses one unit if it succeeds. */
export interface MeteredItem {
  /** Place in the request, from 0. */
  readonly index: number;
  readonly product: string;
  readonly group: ProductGroup;
}

export interface Idempotency {
  /** The client's key, 1 to 255 characters. */
  readonly key: string;
  /** Hash of the operation and its parameters, which a repeated key must match. */
  readonly fingerprint: string;
}

/** A request for admission. */
export interface Admittance {
  readonly operation: string;
  /** Operations in the request, which the rate limit counts. Rejected ones have no item. */
  readonly operations: number;
  readonly items: readonly MeteredItem[];
  /** How long the operation may run before it counts as lost. */
  readonly leaseMs: number;
  readonly idempotency?: Idempotency | undefined;
}

/** The item holds a unit, repeats one that was counted before, or exceeds a hard quota. */
export type ItemState = 'reserved' | 'repeated' | 'overQuota';

/** Why a request may not run now. */
export type Denial = 'burst' | 'concurrency' | 'inProgress' | 'mismatch';

export interface Decision {
  readonly rate: RateState;
  readonly denial?: { readonly kind: Denial; readonly waitMs: number };
  /** One for each item, in order; empty when denied. */
  readonly states: readonly ItemState[];
}

/** A reserved unit, as it will be counted. */
export interface Reservation extends MeteredItem {
  readonly mode: Principal['mode'];
  /** `2026-11`, UTC, of the admission: this month is charged, whenever the work ends. */
  readonly month: string;
  /** Day of the month, 1 to 31. */
  readonly day: number;
  readonly keyId: string;
}

export interface Settlement {
  readonly accountId: string;
  readonly mode: Principal['mode'];
  readonly operation: string;
  readonly operations: number;
  readonly commits: readonly number[];
  readonly refunds: readonly number[];
  /** Whether the operation ends with it and makes room for another. */
  readonly ends: boolean;
  readonly idempotencyKey?: string | undefined;
}

/** A commit that did not reach the store in time. */
export interface LateCommit {
  readonly accountId: string;
  readonly operation: string;
  readonly operations: number;
  readonly idempotency?: Idempotency | undefined;
  readonly reservation: Reservation;
  /** Whether the store is known to have the reservation: when it is gone, the commit had arrived after all. */
  readonly reserved: boolean;
}

/** The store does not respond, or cannot work at the moment. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** Every method is one round trip and may be repeated: it does its work once. @throws StoreUnavailable */
export interface MeterStore {
  admit(
    principal: Principal,
    admittance: Admittance,
    reservations: readonly Reservation[],
  ): Promise<Decision>;
  settle(settlement: Settlement): Promise<void>;
  /** Counts once per journal and sequence number. */
  replay(journal: string, sequence: number, late: LateCommit): Promise<void>;
}
