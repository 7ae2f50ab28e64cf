/**
 * Custom categories in Redis: one hash per account, with a field per name, in the slot of the account's other data. The
 * script that makes a change also announces it.
 */
import { type Category, type CategoryStore, nameKey } from '../services/categories/categories';
import { accountKey } from './account-key';
import { LuaScript } from './lua/script';
import { type RedisClient, unavailable } from './redis';
import { changesChannel } from './redis-change-feed';
import { valuesOf } from './replace';

const categoriesKey = (accountId: string) => accountKey(accountId, 'categories');

const addScript = LuaScript.load<'categories', 'name' | 'category' | 'most' | 'channel' | 'account'>(
  'categories/add',
);
const removeScript = LuaScript.load<'categories', 'name' | 'channel' | 'account'>('categories/remove');

export class RedisCategoryStore implements CategoryStore {
  constructor(private readonly redis: RedisClient) {}

  async addCategory(accountId: string, category: Category, most: number) {
    const args = {
      name: nameKey(category.name),
      category: JSON.stringify(category),
      most,
      channel: changesChannel,
      account: accountId,
    };
    const keys = { categories: categoriesKey(accountId) };
    const outcome = await addScript.run(this.redis, keys, args).catch(unavailable);
    return outcome as 'added' | 'exists' | 'full';
  }

  async listCategories(accountId: string): Promise<Category[]> {
    const all = await valuesOf<Category>(this.redis, categoriesKey(accountId));
    return all.sort((a, b) => a.createdAt - b.createdAt || a.name.localeCompare(b.name));
  }

  async removeCategory(accountId: string, name: string): Promise<boolean> {
    const args = { name: nameKey(name), channel: changesChannel, account: accountId };
    const keys = { categories: categoriesKey(accountId) };
    return (await removeScript.run(this.redis, keys, args).catch(unavailable)) === 1;
  }
}
