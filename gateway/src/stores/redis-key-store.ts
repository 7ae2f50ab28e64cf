/**
 * Accounts and keys in Redis. All data of an account shares the hash tag {accountId}, so a cluster keeps it in one slot.
 * Only the index from hashes of keys is outside, because a key is looked up before its account is known.
 */
import brand from '@presenza/contract/brand.json';
import { type Account, type AccountStore, accountAt } from '../services/keys/accounts';
import type { KeyRecord } from '../services/keys/key-records';
import type { KeyUseStore } from '../services/keys/key-uses';
import type { KeyStore } from '../services/keys/keys';
import type { Page, PageOf } from '../services/pages';
import { accountKey, accountsKey, recordKey } from './account-key';
import { LuaScript } from './lua/script';
import { type RedisClient, unavailable } from './redis';
import { changesChannel } from './redis-change-feed';
import { replace, valuesOf } from './replace';

/** Hash: the account's keys, with a field per id. */
const keysKey = (accountId: string) => accountKey(accountId, 'keys');
/** Hash: when each key was last used, in milliseconds since 1970. */
const usesKey = (accountId: string) => accountKey(accountId, 'key-uses');
/** Account id and key id of a key's hash. */
const indexKey = (hash: string) => `${brand.slug}:key:${hash}`;

/** Time for writing the record of a key after its index. */
const indexPendingMs = 60_000;

const memberOf = ({ id, createdAt }: Pick<Account, 'id' | 'createdAt'>) =>
  `${String(createdAt).padStart(15, '0')}:${id}`;

type Replacement = 'before' | 'after' | 'channel' | 'account';
const replaceAccountScript = LuaScript.load<'record', Replacement>('keys/replace-account');
const replaceKeyScript = LuaScript.load<'keys', 'id' | Replacement>('keys/replace-key');
const noteUseScript = LuaScript.load<'keys' | 'uses', 'id' | 'now'>('keys/note-use');
const addKeyScript = LuaScript.load<
  'keys' | 'uses',
  'id' | 'before' | 'record' | 'most' | 'now' | 'channel' | 'account'
>('keys/add-key');

export class RedisKeyStore implements KeyStore, AccountStore, KeyUseStore {
  constructor(
    private readonly redis: RedisClient,
    private readonly now: () => number = Date.now,
  ) {}

  /** Add it to the list first, because an account that no list shows must not work. */
  async addAccount(account: Account): Promise<void> {
    await this.redis.zadd(accountsKey, 0, memberOf(account)).catch(unavailable);
    await this.redis.set(recordKey(account.id), JSON.stringify(account)).catch(unavailable);
  }

  /** Removes the account and what leads to its keys. Every gateway forgets them within a second. */
  async removeAccount(account: Pick<Account, 'id' | 'createdAt'>): Promise<void> {
    const { id } = account;
    await this.redis.zrem(accountsKey, memberOf(account)).catch(unavailable);
    await this.redis.del(recordKey(id)).catch(unavailable);
    const keys = await this.listKeys(id);
    await Promise.all(keys.map(({ hash }) => this.redis.del(indexKey(hash)))).catch(unavailable);
    await this.redis.publish(changesChannel, id).catch(unavailable);
  }

  async findAccount(id: string): Promise<Account | undefined> {
    const text = await this.redis.get(recordKey(id)).catch(unavailable);
    return text === null ? undefined : this.accountOf(JSON.parse(text));
  }

  async listAccounts({ limit, after }: PageOf): Promise<Page<Account>> {
    const from = after === undefined ? '+' : `(${after}`;
    const members = await this.redis
      .zrange(accountsKey, from, '-', 'BYLEX', 'REV', 'LIMIT', 0, limit + 1)
      .catch(unavailable);
    const page = members.slice(0, limit);
    const accounts = await Promise.all(
      page.map((member) => this.findAccount(member.split(':')[1] as string)),
    );
    const next = members.length > limit ? page.at(-1) : undefined;
    return {
      items: accounts.filter((account) => account !== undefined),
      ...(next !== undefined && { next }),
    };
  }

  updateAccount(id: string, change: (account: Account) => Account): Promise<Account | undefined> {
    const key = recordKey(id);
    return replace(
      () => this.redis.get(key),
      (before, after) =>
        replaceAccountScript.run(
          this.redis,
          { record: key },
          { before, after, channel: changesChannel, account: id },
        ),
      (before: Account) => change(this.accountOf(before)),
    );
  }

  private accountOf(record: Account): Account {
    return accountAt(record, this.now());
  }

  /**
   * Writes the index first, with an expiry of a minute. It has no effect without its record, and it disappears if the
   * process dies before the record is written.
   */
  async addKey(record: KeyRecord, { before, most, now }: Parameters<KeyStore['addKey']>[1]) {
    const { id, accountId, hash } = record;
    const index = indexKey(hash);
    await this.redis.set(index, `${accountId} ${id}`, 'PX', indexPendingMs).catch(unavailable);
    const change = { channel: changesChannel, account: accountId };
    const texts = { before: before ? JSON.stringify(before) : '', record: JSON.stringify(record) };
    const args = { id, ...texts, most, now, ...change };
    const keys = { keys: keysKey(accountId), uses: usesKey(accountId) };
    const dropped = await addKeyScript.run(this.redis, keys, args).catch(unavailable);
    if (dropped === null) return 'full';
    if (dropped === 0) return 'changed';
    await this.redis.persist(index).catch(unavailable);
    if (dropped !== '') await this.redis.del(indexKey(dropped as string)).catch(unavailable);
    return 'added';
  }

  async listKeys(accountId: string): Promise<KeyRecord[]> {
    const all = await valuesOf<KeyRecord>(this.redis, keysKey(accountId));
    return all.sort((a, b) => a.createdAt - b.createdAt || a.id.localeCompare(b.id));
  }

  async noteUse({ accountId, keyId }: { accountId: string; keyId: string }, now: number): Promise<void> {
    const keys = { keys: keysKey(accountId), uses: usesKey(accountId) };
    await noteUseScript.run(this.redis, keys, { id: keyId, now }).catch(unavailable);
  }

  async lastUses(accountId: string): Promise<ReadonlyMap<string, number>> {
    const uses = await this.redis.hgetall(usesKey(accountId)).catch(unavailable);
    return new Map(Object.entries(uses).map(([keyId, at]) => [keyId, Number(at)]));
  }

  updateKey(
    accountId: string,
    keyId: string,
    change: (record: KeyRecord) => KeyRecord,
  ): Promise<KeyRecord | undefined> {
    const key = keysKey(accountId);
    return replace(
      () => this.redis.hget(key, keyId),
      (before, after) => {
        const args = { id: keyId, before, after, channel: changesChannel, account: accountId };
        return replaceKeyScript.run(this.redis, { keys: key }, args);
      },
      change,
    );
  }

  /** Always take two round trips: an unknown hash continues with an account that does not exist. */
  async findKey(hash: string): Promise<{ key: KeyRecord; account: Account } | undefined> {
    const index = await this.redis.get(indexKey(hash)).catch(unavailable);
    const [accountId = hash, keyId = ''] = index?.split(' ') ?? [];
    const [account, key] = await Promise.all([
      this.redis.get(recordKey(accountId)),
      this.redis.hget(keysKey(accountId), keyId),
    ]).catch(unavailable);
    if (account === null || key === null) return undefined;
    const record = JSON.parse(key) as KeyRecord;
    // The index of a replaced key outlives it for a moment, or longer if the process that replaced it died.
    if (record.hash !== hash) return undefined;
    return { account: this.accountOf(JSON.parse(account)), key: record };
  }
}
