/**
 * Stabilizes a text that changes with every frame, for readability and for screen readers. A new value is
 * shown when it has persisted for a while and the previous one was shown long enough: at most one change a second.
 */
export const MEANT_MS = 400;
export const STANDS_MS = 1000;

export interface Steady<T> {
  shown: T;
  shownAt: number;
  meant: T;
  meantAt: number;
}

/** @param now milliseconds of a monotonic clock */
export function steady<T>(before: Steady<T> | null, value: T, now: number): Steady<T> {
  if (!before) return { shown: value, shownAt: now, meant: value, meantAt: now };
  const { shown, shownAt } = before;
  const meantAt = value === before.meant ? before.meantAt : now;
  const ripe = now - meantAt >= MEANT_MS && now - shownAt >= STANDS_MS;
  return value !== shown && ripe
    ? { shown: value, shownAt: now, meant: value, meantAt }
    : { shown, shownAt, meant: value, meantAt };
}
