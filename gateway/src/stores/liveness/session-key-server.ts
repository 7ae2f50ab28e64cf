/** The connection to the Redis of the session keys. While it is unavailable, everything except liveness works. */
import type { Redis } from 'ioredis';
import { waitAtMost } from '../../async/wait-at-most';
import { infoOf, isResponding, lazyConnection } from '../redis';
import { RedisSessionKeys } from './redis-session-keys';

const variable = 'REDIS_SESSION_KEYS_URL';
const connectWithinMs = 3_000;

export class SessionKeyServer {
  readonly redis: Redis;
  readonly keys: RedisSessionKeys;
  /** The check of the current connection: rejected if the server must not have the keys. Undefined before the first one. */
  private checked: Promise<void> | undefined;

  /** @param url REDIS_SESSION_KEYS_URL */
  constructor(url: string, onError: (error: Error) => void) {
    this.redis = lazyConnection(url, onError);
    // A server may return with other settings, and another server may get its address.
    this.redis.on('ready', () => this.check().catch(onError));
    this.keys = new RedisSessionKeys(this.redis, { ready: () => this.ready() });
  }

  /**
   * Resolves while the server may have the keys. The first call connects. After a refusal, each call checks the server
   * again, because an operator can correct its settings without a restart.
   * @throws Error, a sentence for the operator, if the server does not respond, would lose keys or keep erased ones
   */
  ready(): Promise<void> {
    if (this.checked) return this.checked.catch(() => this.check());
    this.checked = this.connect();
    return this.checked;
  }

  /** Whether the server replies to commands and may have the keys. */
  isResponding(): Promise<boolean> {
    return this.ready().then(
      () => isResponding(this.redis),
      () => false,
    );
  }

  private async connect(): Promise<void> {
    const connected = this.redis.connect().catch(() => {}); // The event `error` carries the cause.
    await waitAtMost(connectWithinMs, connected);
    if (this.redis.status !== 'ready') throw new Error(`Redis does not respond at ${variable}`);
    await this.check();
  }

  private check(): Promise<void> {
    this.checked = checkServer(this.redis);
    return this.checked;
  }
}

/**
 * Connects to the Redis of the keys, in the background if it does not respond.
 * @throws Error, a sentence for the operator, if it responds but must not have the keys
 */
export async function connectSessionKeys(
  url: string,
  onError: (error: Error) => void,
): Promise<SessionKeyServer> {
  const server = new SessionKeyServer(url, onError);
  await server.ready().catch((error) => {
    if (server.redis.status !== 'ready') return;
    server.redis.disconnect();
    throw error;
  });
  return server;
}

/** @throws Error if the server would lose keys at a restart, or if one of its files would keep erased keys */
export async function checkServer(redis: Pick<Redis, 'info' | 'config'>): Promise<void> {
  const must = (fulfilled: boolean, what: string) => {
    if (!fulfilled) throw new Error(`The Redis at ${variable} must have ${what}`);
  };
  const info = infoOf(await redis.info());
  must(
    info.aof_rewrites !== undefined,
    'version 7 or later, because earlier ones do not count the rewrites of their file',
  );
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
