/** Caches the custom categories of accounts for a short time, so that moderation needs no round trip for them. */
import { LRUCache } from 'lru-cache';
import { bounds } from '../../bounds';
import type { ChangeFeed } from '../keys/key-cache';
import type { Category, CategoryStore } from './categories';

export interface CategoryCacheServices {
  readonly store: Pick<CategoryStore, 'listCategories'>;
  readonly feed: ChangeFeed;
  /** A clock in ms that never goes back. */
  readonly ticks?: () => number;
}

const freshMs = 30_000;
/** The same while changes may be missed. */
const unheardMs = 1_000;
/** How long the cache waits before it asks a failed store again. */
const backOffMs = 1_000;
/** Each entry may hold twenty prototypes of several kilobytes. */
const capacity = bounds.cachedCategories;

interface Entry {
  readonly categories: Category[];
  readonly readAt: number;
}

export class CategoryCache implements Pick<CategoryStore, 'listCategories'> {
  private readonly entries = new LRUCache<string, Entry>({ max: capacity });
  private readonly running = new Map<string, Promise<Category[]>>();
  private changes = 0;
  private failedAt = Number.NEGATIVE_INFINITY;
  private failure: unknown;
  private readonly ticks: () => number;

  constructor(private readonly services: CategoryCacheServices) {
    this.ticks = services.ticks ?? performance.now.bind(performance);
    services.feed.subscribe((accountId) => {
      this.changes++;
      this.running.delete(accountId);
      this.entries.delete(accountId);
    });
  }

  /** @throws ApiError SERVICE_UNAVAILABLE while the store is unavailable, for an account that is not in the cache */
  async listCategories(accountId: string): Promise<Category[]> {
    const known = this.entries.get(accountId);
    if (known && this.isFresh(known)) return known.categories;
    try {
      if (this.ticks() - this.failedAt < backOffMs) throw this.failure;
      return await this.read(accountId);
    } catch (error) {
      if (known) return known.categories;
      throw error;
    }
  }

  /** Concurrent requests for the same account share one look-up. */
  private read(accountId: string): Promise<Category[]> {
    const running = this.running.get(accountId);
    if (running) return running;
    const reading = this.ask(accountId).finally(() => {
      if (this.running.get(accountId) === reading) this.running.delete(accountId);
    });
    this.running.set(accountId, reading);
    return reading;
  }

  private async ask(accountId: string): Promise<Category[]> {
    const readAt = this.ticks();
    const { changes } = this;
    try {
      const categories = await this.services.store.listCategories(accountId);
      // The result may be older than a change that arrived in the meantime.
      if (changes === this.changes) this.entries.set(accountId, { categories, readAt });
      return categories;
    } catch (error) {
      this.failedAt = this.ticks();
      this.failure = error;
      throw error;
    }
  }

  private isFresh({ readAt }: Entry): boolean {
    const { unbrokenSince } = this.services.feed;
    const heard = unbrokenSince !== undefined && readAt >= unbrokenSince;
    return this.ticks() - readAt < (heard ? freshMs : unheardMs);
  }
}
