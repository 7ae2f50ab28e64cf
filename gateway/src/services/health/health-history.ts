import limits from '@presenza/contract/limits.json';
import { bounds } from '../../bounds';
import { forEach } from '../plans/terms';
import {
  allUnavailable,
  type Component,
  components,
  daysUntil,
  isAvailable,
  type Marks,
  type Minutes,
  marksOf,
  minuteAt,
  minutesOf,
} from './days';

/** The records of all gateways. */
export interface HealthStore {
  /** Adds marks to minutes. It may add the same marks again. */
  add(marks: readonly (readonly [minute: number, marks: Marks])[]): Promise<void>;
  /** The record of each day, undefined for a day without one. */
  read(days: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
}

export interface HealthParts {
  readonly store: HealthStore;
  /** Resolves to the names of the unavailable tiers. */
  readonly unavailable: () => Promise<Parameters<typeof marksOf>[0]>;
  /** Resolves to whether clients may reach this gateway. One that has never reached a tier gets no requests. */
  readonly isInService: () => Promise<boolean>;
  readonly now: () => number;
}

type Days = readonly (Minutes & { readonly date: string })[];
type Past = Readonly<Record<Component, Days>>;

export interface ComponentHealth {
  readonly component: Component;
  readonly available: boolean;
  /** Absent while the records cannot be read. */
  readonly days?: Days;
}

const { historyDays, maxAgeSeconds } = limits.health;

/**
 * Measures the health of this gateway, and reads that of all gateways. A minute that cannot be stored waits in memory as
 * unavailable, so that an outage of the store is part of the history afterward. If the process ends first, the minute
 * has no measurement.
 */
export class HealthHistory {
  private readonly waiting = new Map<number, Marks>();
  /** The marks of the newest minute that the store already has. */
  private stored: readonly [minute: number, marks: Marks] = [0, 0];
  private past: Promise<Past> | undefined;
  private pastExpiresAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: HealthParts) {}

  /** @throws Error if the store is there but does not take the marks */
  async measure(): Promise<void> {
    const { isInService, unavailable, now, store } = this.parts;
    if (!(await isInService())) return;
    const missing = await unavailable();
    const minute = minuteAt(now());
    if (missing.includes('store')) return this.wait(minute, allUnavailable);
    const marks = (this.waiting.get(minute) ?? 0) | marksOf(missing);
    const [storedMinute, storedMarks] = this.stored;
    if (this.waiting.size === 0 && storedMinute === minute && (marks & ~storedMarks) === 0) return;
    const others = [...this.waiting].filter(([queued]) => queued !== minute);
    try {
      await store.add([...others, [minute, marks]]);
    } catch (error) {
      this.wait(minute, allUnavailable);
      throw error;
    }
    this.waiting.clear();
    this.stored = [minute, storedMinute === minute ? storedMarks | marks : marks];
  }

  private wait(minute: number, marks: Marks): void {
    this.waiting.set(minute, (this.waiting.get(minute) ?? 0) | marks);
    const [oldest] = this.waiting.keys();
    if (this.waiting.size > bounds.healthMinutes) this.waiting.delete(oldest as number);
  }

  async read(): Promise<readonly ComponentHealth[]> {
    const [missing, past] = await Promise.all([
      this.parts.unavailable(),
      this.recentPast().catch(() => undefined),
    ]);
    return components.map((component) => ({
      component,
      available: isAvailable(component, missing),
      ...(past && { days: past[component] }),
    }));
  }

  /** Anybody may ask, so the records are read and summed up once for all requests of some time, unless that fails. */
  private recentPast(): Promise<Past> {
    const now = this.parts.now();
    if (!this.past || now >= this.pastExpiresAt) {
      this.pastExpiresAt = now + 1_000 * maxAgeSeconds;
      const past = this.readPast(now);
      this.past = past;
      past.catch(() => {
        if (this.past === past) this.past = undefined;
      });
    }
    return this.past;
  }

  private async readPast(now: number): Promise<Past> {
    const days = daysUntil(minuteAt(now), historyDays);
    const records = await this.parts.store.read(days);
    return forEach(components, (component) =>
      days.flatMap((date, place) => {
        const record = records[place];
        return record ? [{ date, ...minutesOf(component, record) }] : [];
      }),
    );
  }
}
