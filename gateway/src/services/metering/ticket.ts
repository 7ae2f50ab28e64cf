import type { Principal } from '../keys/keys';
import type { Admittance, ItemState, LateCommit, Reservation, Settlement } from './metering-store';

export interface Admitted {
  readonly admittance: Admittance;
  readonly reservations: readonly Reservation[];
  readonly states: readonly ItemState[];
  /** Whether the store admitted it; else the process decided alone. */
  readonly known: boolean;
}

/** What settles a ticket. */
export interface Settler {
  /**
   * @param known whether the store has the reservations.
   * @param late makes the commits, for the case that the store cannot take them.
   */
  settle(settlement: Settlement, known: boolean, late: () => readonly LateCommit[]): Promise<void>;
}

/** What a request holds while it runs: its reservations, each to be settled once, and a place among the running. */
export class Ticket {
  /** Places in the request whose unit is reserved. */
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

  /** The state of the item at this place of the request. */
  stateOf(index: number): ItemState | undefined {
    const place = this.admitted.reservations.findIndex((one) => one.index === index);
    return this.admitted.states[place];
  }

  /**
   * Counts what succeeded. It is counted, in the store or in the journal, once this resolves.
   * @param indexes places in the request; those that were counted before are passed over.
   */
  async commit(indexes: readonly number[]): Promise<void> {
    const commits = indexes.filter((index) => this.open.delete(index));
    if (commits.length > 0) await this.settle(commits, [], false);
  }

  /** Counts what succeeded, gives everything else back and makes room for the account's next request. */
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
      () => this.lateCommits(commits),
    );
  }

  private lateCommits(commits: readonly number[]): LateCommit[] {
    const { admittance, reservations, known } = this.admitted;
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
      }));
  }
}
