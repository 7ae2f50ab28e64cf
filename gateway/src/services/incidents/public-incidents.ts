import limits from '@presenza/contract/limits.json';
import { type Incident, isPublic, latestFirst } from './incident';
import type { IncidentStore } from './incidents';

export interface KnownIncidents {
  /** When they were read, in milliseconds since 1970. */
  readonly readAt: number;
  /** The latest first. */
  readonly incidents: readonly Incident[];
}

/**
 * The incidents as this gateway knows them. It reads them at intervals: anyone may ask for them without a call to the
 * store, and the gateway still has the last ones while the store is unavailable, which is when readers need them.
 */
export class PublicIncidents {
  private last: KnownIncidents | undefined;
  private shown: { readonly known: KnownIncidents; readonly until: number } | undefined;

  constructor(
    private readonly store: Pick<IncidentStore, 'all'>,
    private readonly now: () => number,
  ) {}

  async refresh(): Promise<void> {
    const readAt = this.now();
    const incidents = [...(await this.store.all())].sort(latestFirst);
    this.last = { readAt, incidents };
    this.shown = undefined;
  }

  /**
   * Undefined if the store could not be read since the start. The object is the same for some seconds, also while the
   * store is unavailable, so that callers make a response from it once and not for each of many readers.
   */
  read(): KnownIncidents | undefined {
    if (!this.last) return undefined;
    const now = this.now();
    if (!this.shown || now >= this.shown.until) {
      const { readAt, incidents } = this.last;
      const known = { readAt, incidents: incidents.filter((incident) => isPublic(incident, now)) };
      this.shown = { known, until: now + 1_000 * limits.incidents.readSeconds };
    }
    return this.shown.known;
  }
}
