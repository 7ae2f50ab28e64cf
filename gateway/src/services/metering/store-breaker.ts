/**
 * Keeps requests from waiting for a store that does not respond: after a failure, one request at a time tries again. It
 * works by account, because only the part of a cluster that holds some accounts may be unavailable.
 */
import { LRUCache } from 'lru-cache';
import { bounds } from '../../bounds';
import { StoreUnavailable } from './metering-store';

/** How soon a request tries a failed store again. */
const probeEveryMs = 500;

export interface BreakerServices {
  readonly now: () => number;
  /** Called with the error when the store first becomes unavailable. */
  readonly onUnavailable: (error: Error) => void;
  /** Called when the store responds again for all accounts. */
  readonly onRecovered: () => void;
}

export class StoreBreaker {
  private readonly askAgainAt = new LRUCache<string, number>({ max: bounds.trackedAccounts });

  constructor(private readonly services: BreakerServices) {}

  /** @throws StoreUnavailable without running the command, or the error of the command */
  async ask<T>(accountId: string, command: () => Promise<T>): Promise<T> {
    const { now, onUnavailable } = this.services;
    const askAgainAt = this.askAgainAt.get(accountId);
    if (askAgainAt !== undefined) {
      if (now() < askAgainAt) throw new StoreUnavailable('it was unavailable a moment ago');
      this.askAgainAt.set(accountId, now() + probeEveryMs);
    }
    try {
      const result = await command();
      this.recovered(accountId);
      return result;
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        if (this.askAgainAt.size === 0) onUnavailable(error);
        this.askAgainAt.set(accountId, now() + probeEveryMs);
      } else {
        // The store responded: the defect is in this request.
        this.recovered(accountId);
      }
      throw error;
    }
  }

  private recovered(accountId: string): void {
    if (this.askAgainAt.size === 0) return;
    this.askAgainAt.delete(accountId);
    if (this.askAgainAt.size === 0) this.services.onRecovered();
  }
}
