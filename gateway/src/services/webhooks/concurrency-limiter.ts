/**
 * Limits how many attempts run at once for each endpoint and for each account, and spaces the retries of those over the
 * limits.
 */
import { LRUCache } from 'lru-cache';
import { FairSlots } from '../../async/fair-slots';
import { bounds } from '../../bounds';
import type { Delivery } from './delivery-log';

/** Attempts that one slow receiver may occupy in this process. */
const maxConcurrent = bounds.endpointAttempts;
const maxWaitMs = 60_000;
/** Weight of the newest attempt in the running mean of durations. */
const newestWeight = 0.2;

interface EndpointLoad {
  running: number;
  /** Running mean of the duration of an attempt. */
  meanMs: number;
  /** When the last free slot was taken. */
  fullSince: number;
  /** When the next retry over the limit is likely to get a slot. */
  nextSlotAt: number;
}

export class ConcurrencyLimiter {
  private readonly loads = new LRUCache<string, EndpointLoad>({ max: bounds.trackedEndpoints });
  private readonly attempts = new FairSlots(bounds.webhookAttempts);

  constructor(private readonly now: () => number = Date.now) {}

  /** @returns 0 if the attempt may run, which `release` must end; otherwise the time to wait before a retry, in ms. */
  acquire({ accountId, webhookId }: Pick<Delivery, 'accountId' | 'webhookId'>): number {
    const load = this.loadOf(webhookId);
    const now = this.now();
    if (load.running < maxConcurrent && this.attempts.take(accountId)) {
      load.running++;
      load.fullSince = now;
      return 0;
    }
    // Attempts that hang have no duration yet.
    const hangingMs = load.running < maxConcurrent ? 0 : now - load.fullSince;
    // Retries queue up at the pace of the receiver. Without that, all of them would retry at once.
    load.nextSlotAt = Math.max(now, load.nextSlotAt) + Math.max(load.meanMs, hangingMs) / maxConcurrent;
    return Math.ceil(Math.min(Math.max(1, load.nextSlotAt - now), maxWaitMs));
  }

  release({ accountId, webhookId }: Pick<Delivery, 'accountId' | 'webhookId'>, tookMs: number): void {
    this.attempts.release(accountId);
    const load = this.loadOf(webhookId);
    load.running = Math.max(0, load.running - 1);
    load.meanMs += newestWeight * (tookMs - load.meanMs);
  }

  private loadOf(endpoint: string): EndpointLoad {
    const load = this.loads.get(endpoint) ?? { running: 0, meanMs: 100, fullSince: 0, nextSlotAt: 0 };
    this.loads.set(endpoint, load);
    return load;
  }
}
