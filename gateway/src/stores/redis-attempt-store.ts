import brand from '@presenza/contract/brand.json';
import type { AttemptCount, AttemptStore } from '../services/keys/failed-attempts';
import { LuaScript } from './lua/script';
import { type RedisClient, unavailable } from './redis';

const countScript = LuaScript.load<'counter', 'most' | 'ms'>('keys/count-attempt');

/** Counts failed authentications in Redis, with one counter per source that expires with its window. */
export class RedisAttemptStore implements AttemptStore {
  constructor(private readonly redis: RedisClient) {}

  async countAttempt(source: string, { most, ms }: { most: number; ms: number }): Promise<AttemptCount> {
    const key = `${brand.slug}:failures:${source}`;
    const reply = await countScript.run(this.redis, { counter: key }, { most, ms }).catch(unavailable);
    const [attempts, leftMs] = reply as [number, number];
    return { count: attempts, leftMs };
  }
}
