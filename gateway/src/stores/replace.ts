import type { RedisClient } from './redis';
import { unavailable } from './redis';

/**
 * Replaces what is stored by what `change` makes of it: reads, changes and writes until nobody else wrote in between.
 * @param write a script that returns 1 if it replaced `before` by `after`.
 * @returns the new value; undefined when there is none.
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

/** Values of a hash, as they were stored. */
export async function valuesOf<T>(redis: RedisClient, key: string): Promise<T[]> {
  const texts = await redis.hvals(key).catch(unavailable);
  return texts.map((text) => JSON.parse(text) as T);
}
