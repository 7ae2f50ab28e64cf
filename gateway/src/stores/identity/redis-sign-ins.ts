import type { Vault } from '../../crypto/vault';
import type { KnownBrowser } from '../../services/identity/browsers';
import type { ListedSignIn, SignIn, SignInStore, signInTimes } from '../../services/identity/sign-ins';
import { consoleKey } from '../console-key';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';

type Times = typeof signInTimes;

const useScript = LuaScript.load<'signIn', 'secret' | 'next' | 'idle' | 'rotation' | 'grace'>(
  'identity/use-sign-in',
);

const signInKey = (id: string) => consoleKey(`sign-in:${id}`);
/** Sorted set: ids of a user's sign-ins by their latest end. */
const listKey = (userId: string) => consoleKey(`sign-ins:${userId}`);

/** Sign-ins in Redis: each a hash with the hashes of its secrets, which expires when it is not used. */
export class RedisSignIns implements SignInStore {
  constructor(
    private readonly redis: RedisClient,
    private readonly vault: Vault,
  ) {}

  async add(signIn: SignIn, secretHash: string, { idleMs, wholeMs }: Times, most: number) {
    const [key, list] = [signInKey(signIn.id), listKey(signIn.userId)];
    await this.redis
      .multi()
      .hset(key, { record: JSON.stringify(signIn), current: secretHash, rotatedAt: signIn.startedAt })
      .pexpire(key, idleMs)
      .zremrangebyscore(list, '-inf', String(signIn.startedAt))
      .zadd(list, signIn.startedAt + wholeMs, signIn.id)
      .pexpire(list, wholeMs)
      .exec()
      .catch(unavailable);
    const oldest = await this.redis.zrange(list, '0', String(-1 - most)).catch(unavailable);
    await Promise.all(oldest.map((id) => this.end(signIn.userId, id)));
  }

  async use(id: string, secretHash: string, next: string, { idleMs, rotationMs, graceMs }: Times) {
    const args = { secret: secretHash, next, idle: idleMs, rotation: rotationMs, grace: graceMs };
    const reply = await useScript.run(this.redis, { signIn: signInKey(id) }, args).catch(unavailable);
    if (reply === null) return undefined;
    const [record, rotated] = reply as [string, number];
    return { signIn: JSON.parse(record) as SignIn, rotated: rotated === 1 };
  }

  async describe(id: string, client: KnownBrowser, { idleMs }: Times): Promise<void> {
    // The sign-in may have ended meanwhile. Without an expiry, a hash of this field alone would stay.
    await this.redis
      .multi()
      .hset(signInKey(id), 'client', this.vault.seal(JSON.stringify(client), id))
      .pexpire(signInKey(id), idleMs)
      .exec()
      .catch(unavailable);
  }

  async list(userId: string): Promise<ListedSignIn[]> {
    const ids = await this.redis.zrevrange(listKey(userId), 0, -1).catch(unavailable);
    const read = (id: string) => this.redis.hmget(signInKey(id), 'record', 'usedAt', 'client');
    const hashes = await Promise.all(ids.map(read)).catch(unavailable);
    return hashes.flatMap(([record, usedAt, client]) => {
      if (!record) return [];
      const signIn = JSON.parse(record) as SignIn;
      return [
        {
          ...signIn,
          usedAt: Number(usedAt ?? signIn.startedAt),
          ...(client && { client: JSON.parse(this.vault.open(client, signIn.id)) as KnownBrowser }),
        },
      ];
    });
  }

  async end(userId: string, id: string): Promise<void> {
    if ((await this.redis.zrem(listKey(userId), id).catch(unavailable)) === 0) return;
    await this.redis.del(signInKey(id)).catch(unavailable);
  }

  async endAll(userId: string): Promise<void> {
    const ids = await this.redis.zrange(listKey(userId), '0', '-1').catch(unavailable);
    await this.redis.del([listKey(userId), ...ids.map((id) => signInKey(id))]).catch(unavailable);
  }
}
