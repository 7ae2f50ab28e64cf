/**
 * Who may use how much, and what it costs: every operation is admitted before it runs, under the rate, concurrency and
 * quota of its account, and settled when it ended. Units are reserved at admission and counted only when the work
 * succeeded. While the store is away, accounts that may run into overage are served within a local limit, and what
 * they used is journalled and counted later; accounts with a hard limit have to wait.
 */
import limits from '@presenza/contract/limits.json';
import { AppError } from '../errors';
import { randomBase62 } from './base62';
import type { Journal } from './journal';
import type { Principal } from './keys';
import type { LocalLimiter, RateState } from './local-limiter';
import { monthOf } from './months';
import type { ProductGroup, Terms } from './terms';

/** One operation of a request, and what it uses if it succeeds: always one unit. */
export interface MeteredItem {
  /** Place in the request, from 0. */
  readonly index: number;
  readonly product: string;
  readonly group: ProductGroup;
}

export interface Idempotency {
  /** The client's key, 1 to 255 characters. */
  readonly key: string;
  /** Of the request's operation and parameters: a repeated key must come with the same ones. */
  readonly fingerprint: string;
}

/** A request that wants to run. */
export interface Admittance {
  readonly operation: string;
  /** Operations in the request, which is what the rate limit counts; not each has to be an item. */
  readonly operations: number;
  readonly items: readonly MeteredItem[];
  /** How long the operation may run before it is taken for dead. */
  readonly leaseMs: number;
  readonly idempotency?: Idempotency | undefined;
}

/** `reserved` a unit, `repeated` an operation that was counted before, or went `beyond` a hard quota. */
export type ItemState = 'reserved' | 'repeated' | 'beyond';

export type Refusal = 'burst' | 'concurrency' | 'inProgress' | 'mismatch';

export interface Decision {
  readonly rate: RateState;
  readonly refusal?: { readonly kind: Refusal; readonly waitMs: number };
  /** One for each item, in order; empty when refused. */
  readonly states: readonly ItemState[];
}

/** What is counted, as it was reserved. */
export interface Reservation extends MeteredItem {
  readonly mode: Principal['mode'];
  /** `2026-11`, UTC, of the admission: this month is charged, whenever the work ends. */
  readonly month: string;
  /** Day of the month, 1 to 31. */
  readonly day: number;
  readonly keyId: string;
}

export interface Settlement {
  readonly operation: string;
  readonly operations: number;
  readonly commits: readonly number[];
  readonly refunds: readonly number[];
  readonly ends: boolean;
  readonly terms: Terms;
  readonly idempotencyKey?: string | undefined;
}

/** A commit that did not reach the store in time. */
export interface LateCommit {
  readonly accountId: string;
  readonly operation: string;
  readonly operations: number;
  readonly terms: Terms;
  readonly idempotency?: Idempotency | undefined;
  readonly reservation: Reservation;
  /** Whether the store is known to have the reservation: when it is gone, the commit had arrived after all. */
  readonly reserved: boolean;
}

/** The store does not answer, or answers that it cannot do its work at the moment. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';
}

/** What the service needs of a store. Every method is one round trip. @throws StoreAway */
export interface MeterStore {
  admit(
    principal: Principal,
    admittance: Admittance,
    reservations: readonly Reservation[],
  ): Promise<Decision>;
  settle(accountId: string, settlement: Settlement): Promise<void>;
  /** Counts once per journal and sequence number. */
  replay(journal: string, sequence: number, late: LateCommit): Promise<void>;
}

export interface MeteringServices {
  readonly store: MeterStore;
  readonly journal: Journal;
  readonly local: LocalLimiter;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Takes what the store failed with, once each time it goes away. */
  readonly onAway: (error: Error) => void;
  /** Takes what a journalled commit failed with that will never succeed; it is kept aside. */
  readonly onRejected: (error: Error) => void;
}

/** How soon a store that failed is asked again, by one request at a time. */
const probeEveryMs = 500;

export class Metering {
  private awayUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly services: MeteringServices) {}

  /**
   * Counts operations toward the rate limit alone.
   * @throws AppError RATE_LIMIT_EXCEEDED, with the state of the limit in `onRate` before.
   */
  async count(principal: Principal, operations: number, onRate: (rate: RateState) => void): Promise<void> {
    await this.admit(principal, { operations, items: [], leaseMs: 0 }, onRate);
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED when it is known without asking that the next operation comes too early. */
  refuseEarly({ accountId, terms }: Principal, onRate: (rate: RateState) => void): void {
    const denied = this.services.local.denied(accountId, terms.burst);
    if (!denied) return;
    onRate(denied.rate);
    throw refused('burst', denied.waitMs);
  }

  /**
   * @param onRate takes the state of the rate limit, which belongs on refusals as well.
   * @throws AppError RATE_LIMIT_EXCEEDED, IDEMPOTENCY_CONFLICT or SERVICE_UNAVAILABLE
   */
  async admit(
    principal: Principal,
    admittance: Omit<Admittance, 'operation'>,
    onRate: (rate: RateState) => void,
  ): Promise<Ticket> {
    const whole: Admittance = { ...admittance, operation: randomBase62(22) };
    const reservations = reserve(principal, whole.items, this.services.now());
    const { decision, known } = await this.decide(principal, whole, reservations);
    onRate(decision.rate);
    if (decision.refusal) {
      const { kind, waitMs } = decision.refusal;
      if (kind === 'burst' && whole.operations === 1) {
        this.services.local.deny(principal.accountId, decision.rate, waitMs);
      }
      throw refused(kind, waitMs);
    }
    return new Ticket(this, principal, { admittance: whole, reservations, states: decision.states, known });
  }

  /** Commits and refunds; a commit that the store cannot take goes to the journal. */
  async settle(accountId: string, settlement: Settlement, late: readonly LateCommit[]): Promise<void> {
    const { journal, store } = this.services;
    if (late.every(({ reserved }) => reserved)) {
      try {
        return await this.asking(() => store.settle(accountId, settlement));
      } catch (error) {
        // What was reserved and shall be given back falls to the sweep.
        if (!(error instanceof StoreAway)) throw error;
      }
    }
    for (const commit of late) journal.append(commit);
  }

  /** Counts what the journal holds. @throws when the store is away: the rest stays for the next time. */
  async replay(): Promise<void> {
    const { journal, store, onRejected } = this.services;
    if (!journal.isPending()) return;
    await journal.replay(async (name, sequence, late) => {
      try {
        await this.asking(() => store.replay(name, sequence, late));
        return true;
      } catch (error) {
        if (error instanceof StoreAway) throw error;
        onRejected(error as Error);
        return false;
      }
    });
  }

  private async decide(
    principal: Principal,
    admittance: Admittance,
    reservations: readonly Reservation[],
  ): Promise<{ decision: Decision; known: boolean }> {
    try {
      const decision = await this.asking(() =>
        this.services.store.admit(principal, admittance, reservations),
      );
      return { decision, known: true };
    } catch (cause) {
      if (!(cause instanceof StoreAway)) throw cause;
      return { decision: this.decideAlone(principal, admittance, cause), known: false };
    }
  }

  /** Without the store, nobody knows what is left of a quota: only who may go beyond it is served. */
  private decideAlone(principal: Principal, admittance: Admittance, cause: unknown): Decision {
    const { local, journal } = this.services;
    const mayGoBeyond = !isHard(principal) && journal.hasRoom();
    if (admittance.items.length > 0 && !mayGoBeyond) {
      throw new AppError('SERVICE_UNAVAILABLE', { reason: 'store', cause, retryAfterSeconds: 1 });
    }
    const { rate, waitMs } = local.take(principal.accountId, principal.terms.burst, admittance.operations);
    if (waitMs > 0) return { rate, refusal: { kind: 'burst', waitMs }, states: [] };
    return { rate, states: admittance.items.map(() => 'reserved') };
  }

  /** One request at a time finds out whether a store that was away is back; the others do not wait for it. */
  private async asking<T>(command: () => Promise<T>): Promise<T> {
    const { now, onAway } = this.services;
    const away = this.awayUntil > Number.NEGATIVE_INFINITY;
    if (away && now() < this.awayUntil) throw new StoreAway('it was away a moment ago');
    if (away) this.awayUntil = now() + probeEveryMs;
    try {
      const answer = await command();
      this.awayUntil = Number.NEGATIVE_INFINITY;
      return answer;
    } catch (error) {
      // A defect of one request says nothing about the others.
      const gone = error instanceof StoreAway;
      if (gone && this.awayUntil === Number.NEGATIVE_INFINITY) onAway(error);
      this.awayUntil = gone ? now() + probeEveryMs : Number.NEGATIVE_INFINITY;
      throw error;
    }
  }
}

interface Admitted {
  readonly admittance: Admittance;
  readonly reservations: readonly Reservation[];
  readonly states: readonly ItemState[];
  /** Whether the store admitted it; else it was decided alone. */
  readonly known: boolean;
}

/** What a request holds while it runs: its reservations, each to be settled once. */
export class Ticket {
  private readonly open: Set<number>;

  constructor(
    private readonly metering: Pick<Metering, 'settle'>,
    private readonly principal: Principal,
    private readonly admitted: Admitted,
  ) {
    const { states, reservations } = admitted;
    this.open = new Set(reservations.filter((_, i) => states[i] === 'reserved').map(({ index }) => index));
  }

  /** The state of the item at this place of the request. */
  stateOf(index: number): ItemState | undefined {
    const place = this.admitted.reservations.findIndex((one) => one.index === index);
    return this.admitted.states[place];
  }

  /**
   * Counts what succeeded. It is counted, here or in the journal, once this resolves.
   * @param indexes places in the request; those that were counted before are passed over.
   */
  async commit(indexes: readonly number[]): Promise<void> {
    await this.settle(indexes, false);
  }

  /** Counts what succeeded, gives everything else back and makes room for the account's next request. */
  async end(indexes: readonly number[] = []): Promise<void> {
    await this.settle(indexes, true);
  }

  private async settle(indexes: readonly number[], ends: boolean): Promise<void> {
    const { admittance, reservations, known } = this.admitted;
    const { operation, operations, idempotency } = admittance;
    const commits = indexes.filter((index) => this.open.delete(index));
    const refunds = ends ? [...this.open] : [];
    if (ends) this.open.clear();
    if (commits.length === 0 && !(ends && known)) return;
    const { accountId, terms } = this.principal;
    const late = reservations
      .filter(({ index }) => commits.includes(index))
      .map((reservation) => ({
        ...{ accountId, operation, operations, terms, idempotency, reservation },
        reserved: known,
      }));
    const settlement = { operation, operations, commits, refunds, ends, terms };
    await this.metering.settle(accountId, { ...settlement, idempotencyKey: idempotency?.key }, late);
  }
}

/** Test keys and plans without overage stop at the quota. */
export const isHard = ({ mode, terms }: Pick<Principal, 'mode' | 'terms'>): boolean =>
  mode === 'test' || terms.overage === null;

function reserve({ mode, keyId }: Principal, items: readonly MeteredItem[], now: number): Reservation[] {
  const month = monthOf(now);
  const day = new Date(now).getUTCDate();
  return items.map((item) => ({ ...item, mode, keyId, month, day }));
}

function refused(kind: Refusal, waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  if (kind === 'mismatch') return new AppError('IDEMPOTENCY_CONFLICT', { reason: 'mismatch' });
  if (kind === 'inProgress') {
    return new AppError('IDEMPOTENCY_CONFLICT', { reason: 'inProgress', retryAfterSeconds });
  }
  return new AppError('RATE_LIMIT_EXCEEDED', { reason: kind, retryAfterSeconds });
}

/** How long an idempotency key is remembered. */
export const idempotencyMs = limits.idempotency.retentionSeconds * 1_000;
