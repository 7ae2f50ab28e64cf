import Redis from 'ioredis';
import { AppError } from '../errors';

/**
 * Connects to Redis and waits until it answers. Commands fail at once while the connection is away instead of
 * piling up: a request that cannot be metered must not wait.
 * @throws Error when the first connection fails.
 */
export async function connectRedis(url: string, onError: (error: Error) => void): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    commandTimeout: 1_000,
    maxRetriesPerRequest: 0,
    disconnectTimeout: 200,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2_000),
  });
  redis.on('error', onError);
  try {
    await redis.connect();
  } catch (cause) {
    redis.disconnect();
    throw new Error('Redis does not answer at REDIS_URL', { cause });
  }
  return redis;
}

/** What a command that failed means to the caller of the API. */
export function unavailable(cause: unknown): never {
  throw new AppError('SERVICE_UNAVAILABLE', { reason: 'store', cause, retryAfterSeconds: 1 });
}
