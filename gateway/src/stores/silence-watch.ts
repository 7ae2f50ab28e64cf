/**
 * Closes connections to a Redis that has stopped replying. The client's own `socketTimeout` measures elapsed time, so a
 * gateway that got no processor for that long closes a healthy connection whose replies it has not read yet.
 */
import type { Redis } from 'ioredis';

/** A connection closes after this many checks in a row without a byte from Redis. */
const silentChecks = 10;

/**
 * Destroys the connection once Redis has owed a reply for `silenceMs` and sent nothing. Only time in which this process
 * runs counts: a delay of the event loop postpones the next check, and Node reads the socket between two checks.
 */
export function closeWhenSilent(redis: Redis, silenceMs: number): void {
  redis.on('connect', () => {
    const { stream } = redis;
    let { bytesRead } = stream;
    let checks = 0;
    const timer = setInterval(() => {
      const isSilent = redis.commandQueue.length > 0 && stream.bytesRead === bytesRead;
      bytesRead = stream.bytesRead;
      checks = isSilent ? checks + 1 : 0;
      if (checks === silentChecks) stream.destroy(new Error(`Redis has not replied for ${silenceMs} ms`));
    }, silenceMs / silentChecks).unref();
    stream.once('close', () => clearInterval(timer));
  });
}
