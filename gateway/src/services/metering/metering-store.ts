/** The store that metering needs, and the types that both use. */
import limits from '@presenza/contract/limits.json';
import type { Principal } from '../keys/keys';
import type { RateState } from '../limits/local-limiter';
import type { ProductGroup } from '../plans/terms';

/** How long the store remembers an idempotency key. */
export const idempotencyMs = limits.idempotency.retentionSeconds * 1_000;

/** One operation of a request, which uses one unit if it succeeds. */
export interface MeteredItem {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly product: string;
  readonly group: ProductGroup;
}

export interface Idempotency {
  /** The client's key, with its sender. */
  readonly key: string;
  /** Hash of the operation and its parameters, which a repeated key must match. */
  readonly fingerprint: string;
}

/** The rates of an account, each with the limit of its plan: of operations, and of reading. */
export type Bucket = 'burst' | 'reads';

/** A request for admission. */
export interface AdmissionRequest {
  /** Drawn by the gateway before the first round trip, so that the store recognizes a script that is sent again. */
  readonly admissionId: string;
  /** The rate that the request counts toward. Default: burst. */
  readonly bucket?: Bucket | undefined;
  /** Operations that the rate limit counts. One that a batch rejects before admission counts, and has no item. */
  readonly operations: number;
  readonly items: readonly MeteredItem[];
  /** Whether the operations count past the limit, because their work is done already. Default: no. */
  readonly owed?: boolean;
  /** Time after which the sweep ends the admission and refunds its units. */
  readonly leaseMs: number;
  readonly idempotency?: Idempotency | undefined;
}

/**
 * The item holds a unit, repeats one that was counted before, or exceeds a hard quota: one that is used up, or whose rest
 * others hold and may return.
 */
export type ItemState = 'reserved' | 'repeated' | 'overQuota' | 'quotaHeld';

/** Why a request is rejected. */
export type Rejection = 'burst' | 'concurrency' | 'inProgress' | 'mismatch';

export interface Decision {
  readonly rate: RateState;
  /** `waitMs`: when a retry makes sense; with `inProgress`, what is left of the running request's lease. */
  readonly rejection?: { readonly kind: Rejection; readonly waitMs: number };
  /** One per item, in order; empty if rejected. */
  readonly states: readonly ItemState[];
  /** When the store admitted it, on its own clock in ms since 1970; absent if a gateway decided alone. */
  readonly at?: number;
}

/** A reserved unit, with everything that its bill contains. */
export interface Reservation extends MeteredItem {
  readonly mode: Principal['mode'];
  /** `2026-11`, UTC. The month of the admission is billed, no matter when the work ends. */
  readonly month: string;
  /** Day of the month, 1 to 31. */
  readonly day: number;
  readonly keyId: string;
}

export interface Settlement {
  readonly accountId: string;
  readonly mode: Principal['mode'];
  readonly admissionId: string;
  /** The number that was admitted. The store lists a running admission under this number and its id. */
  readonly operations: number;
  /** Indexes of items. */
  readonly commits: readonly number[];
  /** Indexes of items. */
  readonly refunds: readonly number[];
  /** Whether the request ends and frees its concurrency slot. */
  readonly ends: boolean;
  readonly idempotencyKey?: string | undefined;
}

/** A commit that did not reach the store in time. */
export interface LateCommit {
  readonly accountId: string;
  /** The `admissionId`, by its name in the journal's files. */
  readonly operation: string;
  readonly operations: number;
  readonly idempotency?: Idempotency | undefined;
  readonly reservation: Reservation;
  /**
   * Whether the store had the reservation. If it is gone by now, the commit has arrived after all, or the
   * store was restored to an earlier state.
   */
  readonly reserved: boolean;
  /** `Decision.at` of the reservation, from which on the ledger has the commit if it has arrived. */
  readonly reservedAt?: number | undefined;
}

/** The store does not respond or is temporarily unable to work. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The store has no account at all: it is not the one that the journal was written for, or not yet restored. */
export class StoreEmpty extends Error {
  override readonly name = 'StoreEmpty';

  constructor() {
    super('Redis has no account, so the journal is kept until a backup is restored');
  }
}

/** Every method is idempotent, and takes one round trip while nothing has failed. @throws StoreUnavailable */
export interface MeterStore {
  admit(
    principal: Principal,
    request: AdmissionRequest,
    reservations: readonly Reservation[],
  ): Promise<Decision>;
  /** @returns the commits whose reservation is gone: each is counted already, or the store was restored to an earlier state */
  settle(settlement: Settlement): Promise<readonly number[]>;
  /**
   * Counts once per journal and sequence number.
   * @throws StoreEmpty, or Error if the account does not exist
   */
  replay(journal: string, sequence: number, late: LateCommit): Promise<void>;
}
