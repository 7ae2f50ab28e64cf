/**
 * Rewrites the files of Redis. Redis only appends, so an erased value stays in the append-only file until it is rewritten.
 * An erasure asks for a rewrite, which one gateway begins some minutes later for all erasures until then. Without any, the
 * file is rewritten once a day, for the sealed remains of liveness sessions.
 */
import brand from '@presenza/contract/brand.json';
import { Cluster, type Redis } from 'ioredis';
import { takeLease } from './lease';
import { infoOf, type RedisClient, unavailable } from './redis';
import { RedisAuditLog } from './redis-audit-log';

const key = (name: string) => `${brand.slug}:files:${name}`;
const due = key('due');
const recent = key('recent');
const daily = key('daily');
const lease = key('lease');
const minute = 60_000;
/** A rewrite reads all data, so erasures share one. */
const pauseMs = 10 * minute;
const dayMs = 24 * 60 * minute;

export class RedisFiles {
  constructor(private readonly redis: RedisClient) {}

  /** Asks for a rewrite, also if this process ends before. @throws ApiError SERVICE_UNAVAILABLE */
  async rewriteSoon(): Promise<void> {
    await this.redis.set(due, '1').catch(unavailable);
  }

  /**
   * Begins a rewrite if one is due and no other gateway does it.
   * @returns whether it did
   * @throws Error if Redis refuses, which the next round tries again
   */
  async sweep(everyMs: number): Promise<boolean> {
    const { redis } = this;
    if (!(await takeLease(redis, lease, everyMs / 2)) || !(await this.isDue())) return false;
    // First: an erasure that comes during the rewrite needs another.
    await redis.del(due);
    try {
      // Deleted entries would be in the new file as well.
      await new RedisAuditLog(redis).compact();
      await Promise.all(this.nodes().map(rewrite));
    } catch (error) {
      await redis.set(due, '1');
      throw error;
    }
    await Promise.all([redis.set(recent, '1', 'PX', pauseMs), redis.set(daily, '1', 'PX', dayMs)]);
    return true;
  }

  private async isDue(): Promise<boolean> {
    const read = (name: string) => this.redis.exists(name).then((count) => count === 1);
    const [isAsked, isRecent, wasToday] = await Promise.all([read(due), read(recent), read(daily)]);
    return !isRecent && (isAsked || !wasToday);
  }

  private nodes(): readonly Redis[] {
    return this.redis instanceof Cluster ? this.redis.nodes('all') : [this.redis];
  }
}

async function rewrite(node: Redis): Promise<void> {
  const { aof_enabled: hasFile } = infoOf(await node.info('persistence'));
  if (hasFile === '1') await node.bgrewriteaof();
  // A user who may not read settings has no snapshots of ours either: the deployments in this repository take none.
  const [, times] = (await node.config('GET', 'save').catch(() => [])) as string[];
  if (times) await node.call('BGSAVE', 'SCHEDULE');
}
