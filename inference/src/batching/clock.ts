/** Time as the batcher sees it; tests turn its hands. */
export interface Clock {
  /** Milliseconds since some fixed moment; never runs backwards. */
  now(): number;
  /** Calls back once after `delayMs`; the answer cancels it. */
  setTimer(callback: () => void, delayMs: number): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
