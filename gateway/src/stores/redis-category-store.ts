/**
 * Custom categories in Redis: one hash per account, field by name, in the slot of the account's other data. A change is
 * announced by the script that makes it.
 */
import { type Category, type CategoryStore, nameKey } from '../services/categories/categories';
import { accountKey } from './account-key';
import { type RedisClient, unavailable } from './redis';
import { changesChannel } from './redis-change-feed';
import { valuesOf } from './replace';

const categoriesKey = (accountId: string) => accountKey(accountId, 'categories');

const add = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 'exists' end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 'full' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 'added'`;

const remove = `
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1`;

export class RedisCategoryStore implements CategoryStore {
  constructor(private readonly redis: RedisClient) {}

  async addCategory(accountId: string, category: Category, most: number) {
    const values = [nameKey(category.name), JSON.stringify(category), most, changesChannel, accountId];
    const outcome = await this.redis.eval(add, 1, categoriesKey(accountId), ...values).catch(unavailable);
    return outcome as 'added' | 'exists' | 'full';
  }

  async listCategories(accountId: string): Promise<Category[]> {
    const all = await valuesOf<Category>(this.redis, categoriesKey(accountId));
    return all.sort((a, b) => a.createdAt - b.createdAt || a.name.localeCompare(b.name));
  }

  async removeCategory(accountId: string, name: string): Promise<boolean> {
    const values = [nameKey(name), changesChannel, accountId];
    return (await this.redis.eval(remove, 1, categoriesKey(accountId), ...values).catch(unavailable)) === 1;
  }
}
