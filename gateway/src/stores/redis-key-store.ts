/** Accounts and keys in Redis. All data of one account shares the hash tag {accountId}, so a cluster can split it. */
import brand from '@presenza/contract/brand.json';
import type { Account, KeyRecord, KeyStore } from '../services/keys';
import { type RedisClient, unavailable } from './redis';

const accountKey = (id: string) => `${brand.slug}:{${id}}:account`;
/** A key is looked up before its account is known, so its record stands on its own. */
const apiKeyKey = (hash: string) => `${brand.slug}:key:${hash}`;

export class RedisKeyStore implements KeyStore {
  constructor(private readonly redis: RedisClient) {}

  async addAccount(account: Account): Promise<void> {
    await this.write(accountKey(account.id), account);
  }

  findAccount(id: string): Promise<Account | undefined> {
    return this.read<Account>(accountKey(id));
  }

  async addKey(hash: string, record: KeyRecord): Promise<void> {
    await this.write(apiKeyKey(hash), record);
  }

  findKey(hash: string): Promise<KeyRecord | undefined> {
    return this.read<KeyRecord>(apiKeyKey(hash));
  }

  private async read<T>(key: string): Promise<T | undefined> {
    const text = await this.redis.get(key).catch(unavailable);
    return text === null ? undefined : (JSON.parse(text) as T);
  }

  private async write(key: string, value: unknown): Promise<void> {
    await this.redis.set(key, JSON.stringify(value)).catch(unavailable);
  }
}
