import { LuaScript } from './lua/script';
import type { RedisClient } from './redis';

const take = LuaScript.load<'lease', 'ms'>('leases/take');

/**
 * Takes a lease on periodic work, so that only one gateway does each round.
 * @returns whether the caller now holds the lease for `ms`.
 */
export async function takeLease(redis: RedisClient, key: string, ms: number): Promise<boolean> {
  return (await take.run(redis, { lease: key }, { ms: Math.ceil(ms) })) === 1;
}
