/** The clock of scheduler and stages, which tests control. */
export interface Clock {
  /** Milliseconds since a fixed moment; monotonic. */
  now(): number;
  /** Calls back once after `delayMs`. @returns a function that cancels the timer */
  setTimer(callback: () => void, delayMs: number): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
