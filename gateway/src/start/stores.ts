import type { Logger } from 'pino';
import type { Config } from '../config';
import type { Metrics } from '../observability/metrics';
import { claimFolder } from '../services/metering/folder-claim';
import { Journal } from '../services/metering/journal';
import { measureCommands } from '../stores/measure-commands';
import { connectRedis, type RedisClient } from '../stores/redis';
import { RedisChangeFeed } from '../stores/redis-change-feed';
import { RedisMeter } from '../stores/redis-meter';

/** The state of the gateway: Redis, and a journal on disk for the time that Redis is unavailable. */
export interface Stores {
  readonly redis: RedisClient;
  readonly feed: RedisChangeFeed;
  readonly meter: RedisMeter;
  readonly journal: Journal;
  /** Closes the journal. Nothing can be billed after that. */
  closeJournal(): void;
  disconnect(): void;
}

/** @throws Error, a sentence for the operator, if the journal's folder is taken or Redis is not ready */
export async function openStores(
  config: Pick<Config, 'GATEWAY_JOURNAL' | 'REDIS_URL' | 'REDIS_CLUSTER'>,
  logger: Logger,
  metrics: Metrics,
): Promise<Stores> {
  const releaseFolder = claimJournal(config.GATEWAY_JOURNAL);
  const warn = ({ message }: Error) => logger.warn({ message }, 'redis connection');
  const redis = await connectRedis({ url: config.REDIS_URL, cluster: config.REDIS_CLUSTER }, warn);
  const feed = RedisChangeFeed.open(redis, warn);
  const meter = new RedisMeter(redis);
  const journal = new Journal(config.GATEWAY_JOURNAL);
  measureCommands(redis, metrics.dependency);
  metrics.watchJournal(journal);
  return {
    ...{ redis, feed, meter, journal },
    closeJournal() {
      journal.close();
      releaseFolder();
    },
    disconnect() {
      feed.close();
      redis.disconnect();
    },
  };
}

/** @throws Error that names the variable */
function claimJournal(folder: string): () => void {
  try {
    return claimFolder(folder);
  } catch (error) {
    throw new Error(`GATEWAY_JOURNAL: ${(error as Error).message}`, { cause: error });
  }
}
