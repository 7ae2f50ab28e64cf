import { LuaScript } from './lua/script';
import type { RedisClient } from './redis';

const take = LuaScript.load<'lease', 'ms'>('leases/take');

/**
 * Takes a lease on periodic work that all gateways share, so that only one of them does each round.
 * @returns whether the caller has it, for so many milliseconds.
 */
export async function takeLease(redis: RedisClient, key: string, ms: number): Promise<boolean> {
  return (await take.run(redis, { lease: key }, { ms: Math.ceil(ms) })) === 1;
}
