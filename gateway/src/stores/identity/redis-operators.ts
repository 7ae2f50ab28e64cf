import type { OperatorStore } from '../../services/identity/operators';
import { consoleKey } from '../console-key';
import { type RedisClient, unavailable } from '../redis';

/** Set: ids of users. */
const operators = consoleKey('operators');

export class RedisOperators implements OperatorStore {
  constructor(private readonly redis: RedisClient) {}

  async add(userId: string): Promise<void> {
    await this.redis.sadd(operators, userId).catch(unavailable);
  }

  async remove(userId: string): Promise<void> {
    await this.redis.srem(operators, userId).catch(unavailable);
  }

  async has(userId: string): Promise<boolean> {
    return (await this.redis.sismember(operators, userId).catch(unavailable)) === 1;
  }

  list(): Promise<readonly string[]> {
    return this.redis.smembers(operators).catch(unavailable);
  }
}
