/**
 * Receives changes of accounts by Redis publish/subscribe, on its own connection. In a cluster, every node forwards
 * all messages, so one node is enough. If that node fails, the feed connects to another node.
 */
import { setTimeout as delay } from 'node:timers/promises';
import brand from '@presenza/contract/brand.json';
import { Cluster, type Redis } from 'ioredis';
import type { ChangeFeed } from '../services/keys/key-cache';
import type { RedisClient } from './redis';
import { closeWhenSilent } from './silence-watch';

/** Messages are account ids. */
export const changesChannel = `${brand.slug}:changes`;

/** A ping that gets no reply for as long reveals a half-open connection. */
const heartbeatMs = 500;
const reconnectMs = 250;

export class RedisChangeFeed implements ChangeFeed {
  unbrokenSince: number | undefined;
  private readonly listeners: ((accountId: string) => void)[] = [];
  private readonly closing = new AbortController();

  private constructor(
    private readonly redis: RedisClient,
    private readonly onError: (error: Error) => void,
    private readonly ticks: () => number,
  ) {}

  /**
   * Subscribes, and resubscribes after each lost connection, until `close`.
   * @param ticks the clock of `unbrokenSince`, in ms; never goes back.
   */
  static open(
    redis: RedisClient,
    onError: (error: Error) => void,
    ticks: () => number = performance.now.bind(performance),
  ): RedisChangeFeed {
    const feed = new RedisChangeFeed(redis, onError, ticks);
    void feed.run();
    return feed;
  }

  subscribe(listener: (accountId: string) => void): void {
    this.listeners.push(listener);
  }

  close(): void {
    this.closing.abort();
  }

  private async run(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await this.listen(signal).catch((error: Error) => {
        if (!signal.aborted) this.onError(error);
      });
      this.unbrokenSince = undefined;
      await delay(reconnectMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Resolves or rejects once the connection has ended. */
  private async listen(signal: AbortSignal): Promise<void> {
    const subscriber = this.newConnection();
    const disconnect = () => subscriber.disconnect();
    signal.addEventListener('abort', disconnect);
    try {
      const closed = new Promise<void>((resolve) => subscriber.once('close', resolve));
      closeWhenSilent(subscriber, heartbeatMs);
      subscriber.on('error', this.onError);
      subscriber.on('message', (_channel: string, accountId: string) => {
        for (const listener of this.listeners) listener(accountId);
      });
      await subscriber.connect();
      await subscriber.subscribe(changesChannel);
      this.unbrokenSince = this.ticks();
      const lost = () => {
        this.unbrokenSince = undefined;
        disconnect();
      };
      const heartbeat = setInterval(() => subscriber.ping().catch(lost), heartbeatMs).unref();
      await closed;
      clearInterval(heartbeat);
    } finally {
      signal.removeEventListener('abort', disconnect);
      disconnect();
    }
  }

  private newConnection(): Redis {
    const options = {
      lazyConnect: true,
      retryStrategy: null,
      autoResubscribe: false,
    };
    if (!(this.redis instanceof Cluster)) return this.redis.duplicate(options);
    const nodes = this.redis.nodes();
    const node = nodes[Math.floor(Math.random() * nodes.length)];
    if (!node) throw new Error('the cluster has no node to subscribe to');
    return node.duplicate(options);
  }
}
