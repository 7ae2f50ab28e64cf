/** Stores are tested on both kinds of Redis that a deployment may have. */

import { startRedis, startRedisCluster } from '../harness/index.mjs';
import { connectRedis, type RedisClient } from '../src/stores/redis';

/** @param tests takes what gives the connection, from `beforeAll` on, and whether it is to a cluster */
export function describeOnEachRedis(tests: (connection: () => RedisClient, cluster: boolean) => void): void {
  describe.each([
    ['one server', startRedis, false],
    ['a cluster', startRedisCluster, true],
  ] as const)('on %s', (_name, startServer, cluster) => {
    let server: Awaited<ReturnType<typeof startServer>>;
    let redis: RedisClient;

    beforeAll(async () => {
      server = await startServer();
      redis = await connectRedis({ url: server.url, cluster }, () => {});
    });
    afterAll(async () => {
      redis.disconnect();
      await server.stop();
    });

    tests(() => redis, cluster);
  });
}
