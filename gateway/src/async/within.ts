import { setTimeout as delay } from 'node:timers/promises';

/** Waits for the end of some work, but no longer than that. */
export async function within(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  try {
    await Promise.race([work, delay(ms, undefined, timer).catch(() => {})]);
  } finally {
    timer.abort();
  }
}
