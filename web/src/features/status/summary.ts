/** The days that GET /health/history returns, summed up for the status page. */

export interface Day {
  readonly date: string;
  readonly available: number;
  readonly partial: number;
  readonly unavailable: number;
}

/** The worst that happened on a day. A day with gaps has no outage in its measured minutes. */
export type Kind = 'fine' | 'gaps' | 'partial' | 'outage' | 'none';

const dayMs = 86_400_000;
const minutesOfDay = 1440;
/** A restart of a service with one gateway leaves a gap, which says little. */
const toleratedGap = 5;
/** A week. Fewer minutes give no percentage. */
export const leastMinutes = 7 * minutesOfDay;

export const measuredMinutes = ({ available, partial, unavailable }: Day): number =>
  available + partial + unavailable;

/** Minutes of the day, up to now for today, without a measurement. @param now time of the response in ms */
export function missingMinutes(day: Day, now: number): number {
  const passed = Math.floor((now - Date.parse(day.date)) / 60_000) + 1;
  return Math.max(0, Math.min(passed, minutesOfDay) - measuredMinutes(day));
}

export function kindOf(day: Day, now: number): Kind {
  if (day.unavailable > 0) return 'outage';
  if (day.partial > 0) return 'partial';
  if (measuredMinutes(day) === 0) return 'none';
  return missingMinutes(day, now) > toleratedGap ? 'gaps' : 'fine';
}

/** The last days up to today, the oldest first, with those that have no measurement. */
export function lastDays(days: readonly Day[], count: number, now: number): Day[] {
  const known = new Map(days.map((day) => [day.date, day]));
  return Array.from({ length: count }, (_, place) => {
    const date = new Date(now - (count - 1 - place) * dayMs).toISOString().slice(0, 10);
    return known.get(date) ?? { date, available: 0, partial: 0, unavailable: 0 };
  });
}

export interface Share {
  /** Measured minutes. */
  readonly minutes: number;
  /** Percent of them that were available, rounded down to two decimals; undefined if they are too few. */
  readonly percent: number | undefined;
}

export function shareOf(days: readonly Day[]): Share {
  const minutes = days.reduce((sum, day) => sum + measuredMinutes(day), 0);
  const available = days.reduce((sum, day) => sum + day.available, 0);
  return {
    minutes,
    percent: minutes < leastMinutes ? undefined : Math.floor((10_000 * available) / minutes) / 100,
  };
}
