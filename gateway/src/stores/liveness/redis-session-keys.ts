/**
 * The keys of liveness sessions in a Redis of their own, which contains nothing else. The data that they seal is in the
 * main Redis, whose files and backups are therefore unreadable once a key is erased. This Redis is small, so that it can
 * rewrite its append-only file at each erasure.
 */
import brand from '@presenza/contract/brand.json';
import type { Redis } from 'ioredis';
import { connectRedis, infoOf, unavailable } from '../redis';
import { FileRewriter } from './file-rewriter';

/** Hash: the sealed keys by the id of their session. */
const keysKey = `{${brand.slug}:session-keys}`;
/** Sorted set: the same ids by when the session's data ends. */
const endsKey = `${keysKey}:ends`;

const variable = 'REDIS_SESSION_KEYS_URL';
const sweptAtOnce = 1_000;

export class RedisSessionKeys {
  constructor(
    private readonly redis: Redis,
    private readonly now: () => number = Date.now,
    private readonly file: Pick<FileRewriter, 'rewrite'> = new FileRewriter(redis),
  ) {}

  /** Adds a key before anything that it seals is stored. `sweep` erases it after `retentionMs`. */
  async add(sessionId: string, sealedKey: string, retentionMs: number): Promise<void> {
    await this.redis
      .multi()
      .hset(keysKey, sessionId, sealedKey)
      .zadd(endsKey, this.now() + retentionMs, sessionId)
      .exec()
      .catch(unavailable);
  }

  async find(sessionId: string): Promise<string | undefined> {
    return (await this.redis.hget(keysKey, sessionId).catch(unavailable)) ?? undefined;
  }

  /** Removes a key that seals nothing. It stays in the file until the next rewrite. */
  async discard(sessionId: string): Promise<void> {
    await this.redis.hdel(keysKey, sessionId).catch(unavailable);
    await this.redis.zrem(endsKey, sessionId).catch(unavailable);
  }

  /** Resolves once Redis and its file no longer contain the key. A repeated call ensures the same. */
  erase(sessionId: string): Promise<void> {
    return this.eraseAll([sessionId]);
  }

  /** Erases the keys of sessions whose data has ended. */
  async sweep(): Promise<void> {
    for (;;) {
      const ended = await this.redis
        .zrangebyscore(endsKey, '-inf', this.now(), 'LIMIT', 0, sweptAtOnce)
        .catch(unavailable);
      if (ended.length > 0) await this.eraseAll(ended);
      if (ended.length < sweptAtOnce) return;
    }
  }

  /**
   * The ids are due until the file is rewritten, so that the sweep finishes what a crash cut off. A full Redis refuses to
   * move the time, and any transaction, but not to delete: then the sweep finishes at the time that each id has.
   */
  private async eraseAll(ids: readonly string[]): Promise<void> {
    const due = ids.flatMap((id) => [0, id]);
    await this.redis.zadd(endsKey, 'XX', ...due).catch(unlessFull);
    await this.redis.hdel(keysKey, ...ids).catch(unavailable);
    await this.file.rewrite().catch(unavailable);
    await this.redis.zrem(endsKey, ...ids).catch(unavailable);
  }
}

const unlessFull = (cause: Error) => (cause.message.startsWith('OOM') ? 0 : unavailable(cause));

export interface SessionKeyServer {
  readonly redis: Redis;
  readonly keys: RedisSessionKeys;
}

/**
 * Connects to the Redis of the keys.
 * @param url REDIS_SESSION_KEYS_URL
 * @throws Error, a sentence for the operator, if it does not respond, would lose keys at a restart or would keep erased
 *   ones
 */
export async function connectSessionKeys(
  url: string,
  onError: (error: Error) => void,
): Promise<SessionKeyServer> {
  const address = { url, cluster: false, variable };
  const redis = (await connectRedis(address, onError)) as Redis;
  try {
    await checkServer(redis);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return { redis, keys: new RedisSessionKeys(redis) };
}

async function checkServer(redis: Redis): Promise<void> {
  const must = (fulfilled: boolean, what: string) => {
    if (!fulfilled) throw new Error(`The Redis at ${variable} must have ${what}`);
  };
  const info = infoOf(await redis.info());
  must(
    info.aof_enabled === '1',
    'appendonly yes, because a restart would lose the keys of sessions otherwise',
  );
  must(info.connected_slaves === '0', 'no replicas, because their files would keep erased keys');
  must(
    info.maxmemory_policy === 'noeviction',
    'maxmemory-policy noeviction, because it would drop keys otherwise',
  );
  const [, save] = (await redis.config('GET', 'save')) as string[];
  must(save === '', 'save "", because a snapshot would keep erased keys');
}
