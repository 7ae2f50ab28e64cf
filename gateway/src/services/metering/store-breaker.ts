/**
 * Keeps requests from waiting for a store that does not answer: once it failed an account, it is asked again by one
 * request at a time. By account, since of a cluster only the part that holds some accounts may be away.
 */
import { BoundedMap } from '../bounded-map';
import { StoreAway } from './metering-store';

/** How soon a store that failed is asked again. */
const probeEveryMs = 500;
const maxAccounts = 10_000;

export interface BreakerServices {
  readonly now: () => number;
  /** Takes what the store failed with, when it was well before for all. */
  readonly onAway: (error: Error) => void;
  /** Told when it answered all again that it had failed. */
  readonly onBack: () => void;
}

export class StoreBreaker {
  private readonly askAgainAt = new BoundedMap<string, number>(maxAccounts);

  constructor(private readonly services: BreakerServices) {}

  /** @throws StoreAway without asking, or what the command throws */
  async ask<T>(accountId: string, command: () => Promise<T>): Promise<T> {
    const { now, onAway } = this.services;
    const askAgainAt = this.askAgainAt.get(accountId);
    if (askAgainAt !== undefined) {
      if (now() < askAgainAt) throw new StoreAway('it was away a moment ago');
      this.askAgainAt.set(accountId, now() + probeEveryMs);
    }
    try {
      const answer = await command();
      this.answered(accountId);
      return answer;
    } catch (error) {
      if (error instanceof StoreAway) {
        if (this.askAgainAt.size === 0) onAway(error);
        this.askAgainAt.set(accountId, now() + probeEveryMs);
      } else {
        // A defect of this request: the store answered.
        this.answered(accountId);
      }
      throw error;
    }
  }

  private answered(accountId: string): void {
    if (this.askAgainAt.size === 0) return;
    this.askAgainAt.delete(accountId);
    if (this.askAgainAt.size === 0) this.services.onBack();
  }
}
