/** The record of one day: two bits for each component and minute. Gateways set bits and never clear them, so that the order in which they write does not matter. */

/** Each keeps its place, because records of earlier days have it. */
export const components = ['api', 'analyses', 'liveness', 'webhooks'] as const;
export type Component = (typeof components)[number];

/** The tiers behind the gateway. */
type Tier = 'store' | 'sessionKeys' | 'inference';

/** Nothing works for all accounts without the store. */
const needs: Readonly<Record<Component, readonly Tier[]>> = {
  api: ['store'],
  analyses: ['store', 'inference'],
  liveness: ['store', 'sessionKeys', 'inference'],
  webhooks: ['store'],
};

export const isAvailable = (component: Component, missing: readonly Tier[]): boolean =>
  !needs[component].some((tier) => missing.includes(tier));

const dayMs = 86_400_000;
const minuteMs = 60_000;
const minutesOfDay = dayMs / minuteMs;
/** Bytes of the minutes of one component with one of its two bits. */
const rowBytes = minutesOfDay / 8;
/** The two bits of a component in one minute. */
const seen = { available: 0, unavailable: 1 } as const;

/** Minutes since 1970, in UTC. */
export const minuteAt = (ms: number): number => Math.floor(ms / minuteMs);

/** The day of a minute, such as 2026-01-15. */
export const dayOf = (minute: number): string => new Date(minute * minuteMs).toISOString().slice(0, 10);

/** The days up to that of `minute`, the oldest first. */
export const daysUntil = (minute: number, count: number): string[] =>
  Array.from({ length: count }, (_, place) => dayOf(minute - (count - 1 - place) * minutesOfDay));

/** One bit of `Marks` for each bit of a minute. */
export type Marks = number;

/** @param missing the tiers that a measurement found unavailable */
export const marksOf = (missing: readonly Tier[]): Marks =>
  components.reduce(
    (marks, component, place) =>
      marks | (1 << (2 * place + (isAvailable(component, missing) ? seen.available : seen.unavailable))),
    0,
  );

/** Every component was found unavailable. */
export const allUnavailable: Marks = marksOf(['store']);

/** The places of the marks of a minute in the record of its day. */
export function bitsOf(minute: number, marks: Marks): number[] {
  const rows = Array.from({ length: 2 * components.length }, (_, row) => row);
  return rows.filter((row) => marks & (1 << row)).map((row) => row * minutesOfDay + (minute % minutesOfDay));
}

export interface Minutes {
  readonly available: number;
  readonly partial: number;
  readonly unavailable: number;
}

/** The minutes of a component in the record of a day. @param record may end before its last bit, and is then zero */
export function minutesOf(component: Component, record: Uint8Array): Minutes {
  const first = 2 * components.indexOf(component) * rowBytes;
  let [available, partial, unavailable] = [0, 0, 0];
  for (let at = first; at < first + rowBytes; at += 1) {
    const up = record[at] ?? 0;
    const down = record[at + rowBytes] ?? 0;
    available += ones(up & ~down);
    partial += ones(up & down);
    unavailable += ones(down & ~up);
  }
  return { available, partial, unavailable };
}

/** The number of ones in a byte. */
function ones(byte: number): number {
  let count = 0;
  for (let rest = byte; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
