/**
 * Admits every operation before it runs, under the rate, concurrency and quota of its account, and settles it when it
 * ends. Admission reserves units; settlement bills those whose work succeeded. While the store is unavailable, accounts
 * with overage are served within a local limit, and the journal bills their usage later. Requests of accounts with a hard
 * limit are not admitted.
 */

import { bounds } from '../../bounds';
import { randomBase62 } from '../../crypto/base62';
import { ApiError } from '../../errors';
import type { Principal } from '../keys/keys';
import type { LocalLimiter, RateState } from '../limits/local-limiter';
import { keyInProgress, keyMismatch } from './idempotency-conflict';
import type { Journal } from './journal';
import {
  type AdmissionRequest,
  type Bucket,
  type Decision,
  type MeteredItem,
  type MeterStore,
  type Rejection,
  type Reservation,
  type Settlement,
  StoreEmpty,
  StoreUnavailable,
} from './metering-store';
import { monthOf } from './months';
import type { StoreBreaker } from './store-breaker';
import { type LateCommits, Ticket } from './ticket';

export interface MeteringServices {
  readonly store: MeterStore;
  readonly breaker: StoreBreaker;
  readonly journal: Journal;
  readonly local: LocalLimiter;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the error of a delayed commit, end or refund that can never succeed; commits are set aside. */
  readonly onRejected: (error: Error) => void;
}

/** Called with the state of the rate limit, for rejected requests too. */
export type OnRate = (rate: RateState) => void;

/** Ends and refunds that wait for the store. When this list is full, the sweep refunds them once their leases end. */
const maxUnsettled = bounds.unsettledOperations;

export class Metering {
  private unsettled: Settlement[] = [];

  constructor(private readonly services: MeteringServices) {}

  /** Counts operations toward the rate limit alone. @throws ApiError RATE_LIMIT_EXCEEDED */
  async count(
    principal: Principal,
    operations: number,
    onRate: OnRate,
    bucket: Bucket = 'burst',
  ): Promise<void> {
    await this.admit(principal, { bucket, operations, items: [], leaseMs: 0 }, onRate);
  }

  /**
   * Counts operations for work that is done and not billed. They count past the limit, so that the next ones wait longer.
   */
  async charge(principal: Principal, operations: number, onRate: OnRate): Promise<void> {
    await this.admit(principal, { bucket: 'burst', operations, items: [], owed: true, leaseMs: 0 }, onRate);
  }

  /** @throws ApiError RATE_LIMIT_EXCEEDED if this gateway already knows that the next operation is too early. */
  rejectEarly({ accountId, terms }: Principal, onRate: OnRate, bucket: Bucket = 'burst'): void {
    const denied = this.services.local.denied(rateName(accountId, bucket), terms.burst);
    if (!denied) return;
    onRate(denied.rate);
    throw rejectionError('burst', denied.waitMs);
  }

  /** @throws ApiError RATE_LIMIT_EXCEEDED, IDEMPOTENCY_CONFLICT or SERVICE_UNAVAILABLE */
  async admit(
    principal: Principal,
    admission: Omit<AdmissionRequest, 'admissionId'>,
    onRate: OnRate,
  ): Promise<Ticket> {
    const request: AdmissionRequest = { ...admission, admissionId: randomBase62(22) };
    const reservations = reservationsFor(principal, request.items, this.services.now());
    const { decision, admittedByStore } = await this.decide(principal, request, reservations);
    const { rate, rejection, states, at } = decision;
    onRate(rate);
    if (rejection) {
      const { kind, waitMs } = rejection;
      if (kind === 'burst' && request.operations === 1) {
        this.services.local.deny(rateName(principal.accountId, request.bucket), rate, waitMs);
      }
      throw kind === 'inProgress' ? keyInProgress(request.leaseMs, waitMs) : rejectionError(kind, waitMs);
    }
    return new Ticket(this, principal, { request, reservations, states, admittedByStore, at });
  }

  /**
   * If the store is unavailable, commits go to the journal, and ends and refunds wait in memory. Commits whose reservation
   * is gone go to the journal as well, because its replay finds out whether they are counted.
   */
  async settle(settlement: Settlement, admittedByStore: boolean, toLateCommits: LateCommits): Promise<void> {
    const { breaker, journal, store } = this.services;
    try {
      if (admittedByStore) {
        const missing = await breaker.ask(settlement.accountId, () => store.settle(settlement));
        for (const commit of toLateCommits(missing)) journal.append(commit);
        return;
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    for (const commit of toLateCommits(settlement.commits)) journal.append(commit);
    if ((settlement.ends || settlement.refunds.length > 0) && this.unsettled.length < maxUnsettled) {
      this.unsettled.push({ ...settlement, commits: [] });
    }
  }

  /** Sends pending settlements to the store. @throws StoreUnavailable or StoreEmpty; the rest waits for the next call */
  async catchUp(): Promise<void> {
    await this.replayJournal();
    const waiting = this.unsettled;
    this.unsettled = [];
    for (const settlement of waiting) {
      // While the store is unavailable, settlements wait; those that can never succeed are reported.
      await this.settle(settlement, true, () => []).catch(this.services.onRejected);
    }
  }

  private async replayJournal(): Promise<void> {
    const { breaker, journal, store, onRejected } = this.services;
    if (journal.pendingBytes === 0) return;
    await journal.replay(async (name, sequence, late) => {
      try {
        await breaker.ask(late.accountId, () => store.replay(name, sequence, late));
        return true;
      } catch (error) {
        if (error instanceof StoreUnavailable || error instanceof StoreEmpty) throw error;
        onRejected(error as Error);
        return false;
      }
    });
  }

  private async decide(
    principal: Principal,
    request: AdmissionRequest,
    reservations: readonly Reservation[],
  ): Promise<{ decision: Decision; admittedByStore: boolean }> {
    const { breaker, store } = this.services;
    try {
      const decision = await breaker.ask(principal.accountId, () =>
        store.admit(principal, request, reservations),
      );
      return { decision, admittedByStore: true };
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      return { decision: this.decideAlone(principal, request), admittedByStore: false };
    }
  }

  /** While the store is unavailable, the rest of a quota is unknown, so only accounts with overage are served. */
  private decideAlone(principal: Principal, request: AdmissionRequest): Decision {
    const { local, journal } = this.services;
    const mayExceedQuota = !isHard(principal) && journal.hasRoom();
    if (request.items.length > 0 && !mayExceedQuota) {
      // The breaker has logged the cause; a log entry per request would only hide it.
      throw new ApiError('SERVICE_UNAVAILABLE', { reason: 'store', retryAfterSeconds: 1 });
    }
    const { operations, bucket, owed } = request;
    const name = rateName(principal.accountId, bucket);
    const { rate, waitMs } = local.take(name, principal.terms.burst, operations, owed);
    if (waitMs > 0) return { rate, rejection: { kind: 'burst', waitMs }, states: [] };
    return { rate, states: request.items.map(() => 'reserved') };
  }
}

/** The name of a rate of an account at the local limiter. */
const rateName = (accountId: string, bucket: Bucket = 'burst') => `${accountId} ${bucket}`;

/** Test keys and plans without overage stop at the quota. */
export const isHard = ({ mode, terms }: Pick<Principal, 'mode' | 'terms'>): boolean =>
  mode === 'test' || terms.overage === null;

function reservationsFor(
  { mode, keyId }: Principal,
  items: readonly MeteredItem[],
  now: number,
): Reservation[] {
  const month = monthOf(now);
  const day = new Date(now).getUTCDate();
  return items.map(({ index, product, group }) => ({ index, product, group, mode, keyId, month, day }));
}

function rejectionError(kind: Exclude<Rejection, 'inProgress'>, waitMs: number): ApiError {
  if (kind === 'mismatch') return keyMismatch();
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ApiError('RATE_LIMIT_EXCEEDED', { reason: kind, retryAfterSeconds });
}
