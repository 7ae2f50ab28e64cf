import type { Vault } from '../../crypto/vault';
import type { ErasureJob, ErasureStore } from '../../services/accounts/erasure';
import { consoleKey, erasuresKey } from '../console-key';
import { takeLease } from '../lease';
import { type RedisClient, unavailable } from '../redis';

type AccountOf = Pick<ErasureJob, 'id' | 'createdAt'>;

/** Hash: sealed jobs by id of the account. */
const jobs = consoleKey('erasures:jobs');
const lease = consoleKey('erasures:lease');
const atOnce = 100;

/** Erasures under way. The jobs are sealed because they name the owners. */
export class RedisErasures implements ErasureStore {
  constructor(
    private readonly redis: RedisClient,
    private readonly vault: Vault,
  ) {}

  begin(job: ErasureJob, dueAt: number): Promise<void> {
    return this.keep(job, dueAt);
  }

  repeat(account: AccountOf, dueAt: number): Promise<void> {
    return this.keep(account, dueAt);
  }

  async end(accountId: string): Promise<void> {
    await this.redis.multi().hdel(jobs, accountId).zrem(erasuresKey, accountId).exec().catch(unavailable);
  }

  async due(now: number): Promise<(ErasureJob | AccountOf)[]> {
    const ids = await this.redis
      .zrangebyscore(erasuresKey, '-inf', now, 'LIMIT', 0, atOnce)
      .catch(unavailable);
    const sealed = await Promise.all(ids.map((id) => this.redis.hget(jobs, id))).catch(unavailable);
    return ids.flatMap((id, i) => {
      const text = sealed[i];
      return text ? [JSON.parse(this.vault.open(text, id)) as ErasureJob | AccountOf] : [];
    });
  }

  acquireLease(ms: number): Promise<boolean> {
    return takeLease(this.redis, lease, ms).catch(unavailable);
  }

  private async keep(job: ErasureJob | AccountOf, dueAt: number): Promise<void> {
    const sealed = this.vault.seal(JSON.stringify(job), job.id);
    await this.redis
      .multi()
      .hset(jobs, job.id, sealed)
      .zadd(erasuresKey, dueAt, job.id)
      .exec()
      .catch(unavailable);
  }
}
