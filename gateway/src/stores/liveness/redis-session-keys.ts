/**
 * The keys of liveness sessions in a Redis of their own, which contains nothing else. The data that they seal is in the
 * main Redis, whose files and backups are therefore unreadable once a key is erased. This Redis is small, so that it can
 * rewrite its append-only file at each erasure.
 */
import brand from '@presenza/contract/brand.json';
import type { Redis } from 'ioredis';
import { unavailable } from '../redis';
import { FileRewriter } from './file-rewriter';

/** Hash: the sealed keys by the id of their session. */
const keysKey = `{${brand.slug}:session-keys}`;
/** Sorted set: the same ids by when the session's data ends. */
const endsKey = `${keysKey}:ends`;

const sweptAtOnce = 1_000;
/** The sweep runs every minute, and an erasure takes seconds. */
const overdueMs = 5 * 60_000;

/** Why a gateway without this Redis refuses an operation. A record without a key has its key here. */
export const keysElsewhere = new Error(
  'The key of this session is in another Redis: set REDIS_SESSION_KEYS_URL, as on the other gateways',
);

export interface SessionKeyOptions {
  /** Rejects while the Redis is unavailable or must not have the keys. */
  readonly ready?: () => Promise<void>;
  readonly now?: () => number;
}

export class RedisSessionKeys {
  private readonly file: FileRewriter;
  private readonly ready: () => Promise<void>;
  private readonly now: () => number;

  constructor(
    private readonly redis: Redis,
    { ready = async () => {}, now = Date.now }: SessionKeyOptions = {},
  ) {
    this.file = new FileRewriter(redis);
    this.ready = ready;
    this.now = now;
  }

  /** Adds a key before anything that it seals is stored. `sweep` erases it after `retentionMs`. */
  async add(sessionId: string, sealedKey: string, retentionMs: number): Promise<void> {
    const end = this.now() + retentionMs;
    await this.use((redis) =>
      redis.multi().hset(keysKey, sessionId, sealedKey).zadd(endsKey, end, sessionId).exec(),
    );
  }

  async find(sessionId: string): Promise<string | undefined> {
    return (await this.use((redis) => redis.hget(keysKey, sessionId))) ?? undefined;
  }

  /** Removes a key that seals nothing. It stays in the file until the next rewrite. */
  async discard(sessionId: string): Promise<void> {
    await this.use(async (redis) => {
      await redis.hdel(keysKey, sessionId);
      await redis.zrem(endsKey, sessionId);
    });
  }

  /** Resolves once Redis and its file no longer contain the key. A repeated call ensures the same. */
  erase(sessionId: string): Promise<void> {
    return this.eraseAll([sessionId]);
  }

  /** Erases the keys of sessions whose data has ended. Every gateway may do so at any time: a repeated erasure is harmless. */
  async sweep(): Promise<void> {
    for (;;) {
      const ended = await this.use((redis) =>
        redis.zrangebyscore(endsKey, '-inf', this.now(), 'LIMIT', 0, sweptAtOnce),
      );
      if (ended.length > 0) await this.eraseAll(ended);
      if (ended.length < sweptAtOnce) return;
    }
  }

  /** Number of keys that should have been erased more than five minutes ago. */
  overdue(): Promise<number> {
    return this.use((redis) => redis.zcount(endsKey, '-inf', this.now() - overdueMs));
  }

  /**
   * The ids are due until the file is rewritten, so that the sweep finishes what a crash cut off. A full Redis refuses to
   * move the time, and any transaction, but not to delete: then the sweep finishes at the time that each id has.
   */
  private async eraseAll(ids: readonly string[]): Promise<void> {
    const due = ids.flatMap((id) => [this.now(), id]);
    await this.use(async (redis) => {
      // Only to earlier times, because `overdue` counts from the first attempt.
      await redis.zadd(endsKey, 'XX', 'LT', ...due).catch(unlessFull);
      await redis.hdel(keysKey, ...ids);
      await this.file.rewrite();
      await redis.zrem(endsKey, ...ids);
    });
  }

  /** @throws ApiError SERVICE_UNAVAILABLE */
  private async use<T>(commands: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      await this.ready();
      return await commands(this.redis);
    } catch (error) {
      return unavailable(error);
    }
  }
}

function unlessFull(error: Error): void {
  if (!error.message.startsWith('OOM')) throw error;
}
