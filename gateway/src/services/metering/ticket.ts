import type { Principal } from '../keys/keys';
import type { AdmissionRequest, ItemState, LateCommit, Reservation, Settlement } from './metering-store';

export interface Admitted {
  readonly request: AdmissionRequest;
  readonly reservations: readonly Reservation[];
  readonly states: readonly ItemState[];
  /** Whether the store admitted the request; otherwise this gateway decided alone. */
  readonly admittedByStore: boolean;
  /** When the store admitted it. */
  readonly at?: number | undefined;
}

/** Creates the commits of some items, given by their indexes, for the journal. */
export type LateCommits = (indexes: readonly number[]) => readonly LateCommit[];

/** Settles tickets. */
export interface Settler {
  /** @param admittedByStore whether the store made the reservations. */
  settle(settlement: Settlement, admittedByStore: boolean, toLateCommits: LateCommits): Promise<void>;
}

/** The reservations and the concurrency slot of a running request. Each reservation is settled once. */
export class Ticket {
  /** Indexes of items with a reserved unit. */
  private readonly open = new Set<number>();
  private ended = false;

  constructor(
    private readonly settler: Settler,
    private readonly principal: Principal,
    private readonly admitted: Admitted,
  ) {
    for (const [place, { index }] of admitted.reservations.entries()) {
      if (admitted.states[place] === 'reserved') this.open.add(index);
    }
  }

  /** Id of the admission, under which its items are reserved. */
  get admissionId(): string {
    return this.admitted.request.admissionId;
  }

  /** Whether the request repeats one with the same Idempotency-Key, of which at least one unit was billed. */
  get isRepeat(): boolean {
    return this.admitted.states.includes('repeated');
  }

  /** The state of the item at this position of the request. */
  stateOf(index: number): ItemState | undefined {
    const place = this.admitted.reservations.findIndex((reservation) => reservation.index === index);
    return this.admitted.states[place];
  }

  /**
   * Bills items that succeeded. They are in the store or in the journal once this resolves.
   * @param indexes of items in the request; items that are already billed are skipped.
   */
  async commit(indexes: readonly number[]): Promise<void> {
    const commits = indexes.filter((index) => this.open.delete(index));
    if (commits.length > 0) await this.settle(commits, [], false);
  }

  /** Bills items that succeeded, refunds the others, and frees the concurrency slot. */
  async end(indexes: readonly number[] = []): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    const commits = indexes.filter((index) => this.open.delete(index));
    const refunds = [...this.open];
    this.open.clear();
    await this.settle(commits, refunds, true);
  }

  private settle(commits: readonly number[], refunds: readonly number[], ends: boolean): Promise<void> {
    const { request, admittedByStore } = this.admitted;
    const { admissionId, operations, idempotency } = request;
    const { accountId, mode } = this.principal;
    const idempotencyKey = idempotency?.key;
    return this.settler.settle(
      { accountId, mode, admissionId, operations, commits, refunds, ends, idempotencyKey },
      admittedByStore,
      (indexes) => this.lateCommits(indexes),
    );
  }

  private lateCommits(commits: readonly number[]): LateCommit[] {
    const { request, reservations, admittedByStore, at } = this.admitted;
    const { admissionId, operations, idempotency } = request;
    const { accountId } = this.principal;
    return reservations
      .filter(({ index }) => commits.includes(index))
      .map((reservation) => ({
        accountId,
        operation: admissionId,
        operations,
        idempotency,
        reservation,
        reserved: admittedByStore,
        reservedAt: at,
      }));
  }
}
