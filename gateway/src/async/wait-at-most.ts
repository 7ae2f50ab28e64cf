import { setTimeout as delay } from 'node:timers/promises';

/** Waits for the work to end, but no longer than `ms`. */
export async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  try {
    await Promise.race([work, delay(ms, undefined, timer).catch(() => {})]);
  } finally {
    timer.abort();
  }
}
