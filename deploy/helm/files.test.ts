/** Helm reads only files of its chart, so the chart has copies of the configuration and scripts of Redis. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const COPIES = join(__dirname, 'presenza/files');
const KUBERNETES = join(__dirname, '../kubernetes');
const CLUSTER = 'components/redis-cluster';

/** Each copy with its source. */
const SOURCES: Readonly<Record<string, string>> = {
  'redis.conf': 'base/redis/redis.conf',
  'redis-cluster/redis.conf': `${CLUSTER}/redis.conf`,
  ...Object.fromEntries(
    readdirSync(join(KUBERNETES, CLUSTER, 'scripts')).map((name) => [
      `redis-cluster/${name}`,
      `${CLUSTER}/scripts/${name}`,
    ]),
  ),
};

test.each(Object.entries(SOURCES))('%s of the chart equals %s of Kustomize', (copy, source) => {
  expect(readFileSync(join(COPIES, copy), 'utf8')).toBe(readFileSync(join(KUBERNETES, source), 'utf8'));
});

test('the chart has no other file for the Redis Cluster', () => {
  const copies = readdirSync(join(COPIES, 'redis-cluster')).map((name) => `redis-cluster/${name}`);
  expect(Object.keys(SOURCES)).toEqual(expect.arrayContaining(copies));
});
