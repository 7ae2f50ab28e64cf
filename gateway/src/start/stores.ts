import type { Logger } from 'pino';
import type { Config } from '../config';
import type { Metrics } from '../observability/metrics';
import type { Tier } from '../observability/readiness';
import { Journal } from '../services/metering/journal';
import { claimJournalFolder } from '../services/metering/journal-folder';
import { connectSessionKeys, type SessionKeyServer } from '../stores/liveness/session-key-server';
import { measureCommands } from '../stores/measure-commands';
import { connectRedis, isResponding, type RedisClient } from '../stores/redis';
import { RedisChangeFeed } from '../stores/redis-change-feed';
import { RedisMeter } from '../stores/redis-meter';

/**
 * The state of the gateway: Redis, optionally a second one for the keys of liveness sessions, and a journal on disk for the
 * time that Redis is unavailable.
 */
export interface Stores {
  readonly redis: RedisClient;
  readonly sessionKeys?: SessionKeyServer | undefined;
  readonly feed: RedisChangeFeed;
  readonly meter: RedisMeter;
  readonly journal: Journal;
  /** Whether each Redis replies to commands. */
  readonly probes: Readonly<Partial<Record<Tier, () => Promise<boolean>>>>;
  /** Closes the journal. Nothing can be billed after that. */
  closeJournal(): void;
  disconnect(): void;
}

/**
 * @throws Error, a sentence for the operator, if the journal's folder is taken, Redis is not ready, or the Redis of the
 *   session keys has wrong settings. That Redis may be unavailable.
 */
export async function openStores(
  config: Pick<Config, 'GATEWAY_JOURNAL' | 'REDIS_URL' | 'REDIS_CLUSTER' | 'REDIS_SESSION_KEYS_URL'>,
  logger: Logger,
  metrics: Metrics,
): Promise<Stores> {
  const releaseFolder = claimJournal(config.GATEWAY_JOURNAL);
  const warn = ({ message }: Error) => logger.warn({ message }, 'redis connection');
  const redis = await connectRedis({ url: config.REDIS_URL, cluster: config.REDIS_CLUSTER }, warn);
  const keysUrl = config.REDIS_SESSION_KEYS_URL;
  const sessionKeys = keysUrl === undefined ? undefined : await connectSessionKeys(keysUrl, warn);
  const feed = RedisChangeFeed.open(redis, warn);
  const meter = new RedisMeter(redis);
  const journal = new Journal(config.GATEWAY_JOURNAL);
  measureCommands(redis, 'redis', metrics.dependency);
  if (sessionKeys) {
    measureCommands(sessionKeys.redis, 'sessionKeys', metrics.dependency);
    metrics.watchSessionKeys(() => sessionKeys.keys.overdue());
  }
  metrics.watchJournal(journal);
  return {
    redis,
    sessionKeys,
    feed,
    meter,
    journal,
    probes: {
      store: () => isResponding(redis),
      ...(sessionKeys && { sessionKeys: () => sessionKeys.isResponding() }),
    },
    closeJournal() {
      journal.close();
      releaseFolder();
    },
    disconnect() {
      feed.close();
      redis.disconnect();
      sessionKeys?.redis.disconnect();
    },
  };
}

/** @throws Error that names the variable */
function claimJournal(folder: string): () => void {
  try {
    return claimJournalFolder(folder);
  } catch (error) {
    throw new Error(`GATEWAY_JOURNAL: ${(error as Error).message}`, { cause: error });
  }
}
