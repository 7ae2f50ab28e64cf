import type { RedisClient } from './redis';
import { unavailable } from './redis';

/**
 * Replaces a stored value with the result of `change`. Starts over if another process wrote in between.
 * @param write a script that returns 1 if it replaced `before` with `after`.
 * @returns the new value; undefined if none was stored.
 */
export async function replace<T>(
  read: () => Promise<string | null>,
  write: (before: string, after: string) => Promise<unknown>,
  change: (value: T) => T,
): Promise<T | undefined> {
  for (;;) {
    const before = await read().catch(unavailable);
    if (before === null) return undefined;
    const after = change(JSON.parse(before) as T);
    if ((await write(before, JSON.stringify(after)).catch(unavailable)) === 1) return after;
  }
}

export async function valuesOf<T>(redis: RedisClient, key: string): Promise<T[]> {
  const texts = await redis.hvals(key).catch(unavailable);
  return texts.map((text) => JSON.parse(text) as T);
}
