import type { Principal } from '../keys/keys';
import type { Admittance, ItemState, LateCommit, Reservation, Settlement } from './metering-store';

export interface Admitted {
  readonly admittance: Admittance;
  readonly reservations: readonly Reservation[];
  readonly states: readonly ItemState[];
  /** Whether the store admitted the request; otherwise this gateway decided alone. */
  readonly known: boolean;
  /** When the store admitted it. */
  readonly at?: number | undefined;
}

/** Creates the commits of some items, given by their indexes, for the journal. */
export type LateCommits = (indexes: readonly number[]) => readonly LateCommit[];

/** Settles tickets. */
export interface Settler {
  /** @param known whether the store has the reservations. */
  settle(settlement: Settlement, known: boolean, late: LateCommits): Promise<void>;
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

  /** Id of the operation, under which its items are reserved. */
  get operation(): string {
    return this.admitted.admittance.operation;
  }

  /** Whether the request repeats one with the same Idempotency-Key, of which at least one unit was billed. */
  get isReplay(): boolean {
    return this.admitted.states.includes('repeated');
  }

  /** The state of the item at this position of the request. */
  stateOf(index: number): ItemState | undefined {
    const place = this.admitted.reservations.findIndex((one) => one.index === index);
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
    const { admittance, known } = this.admitted;
    const { operation, operations, idempotency } = admittance;
    const { accountId, mode } = this.principal;
    const idempotencyKey = idempotency?.key;
    return this.settler.settle(
      { accountId, mode, operation, operations, commits, refunds, ends, idempotencyKey },
      known,
      (indexes) => this.lateCommits(indexes),
    );
  }

  private lateCommits(commits: readonly number[]): LateCommit[] {
    const { admittance, reservations, known, at } = this.admitted;
    const { operation, operations, idempotency } = admittance;
    const { accountId } = this.principal;
    return reservations
      .filter(({ index }) => commits.includes(index))
      .map((reservation) => ({
        accountId,
        operation,
        operations,
        idempotency,
        reservation,
        reserved: known,
        reservedAt: at,
      }));
  }
}
