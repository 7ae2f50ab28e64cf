/** A Redis Cluster of three masters on free ports, for what one server cannot show: slots, redirections, its bus. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type RunningProcess, startRedis } from './processes';

export async function startCluster(): Promise<RunningProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-cluster-'));
  const nodes = await Promise.all(
    [0, 1, 2].map((i) =>
      startRedis(['--cluster-enabled', 'yes', '--cluster-config-file', join(folder, `${i}.conf`)]),
    ),
  );
  const addresses = nodes.map(({ url }) => new URL(url).host);
  const create = ['--cluster', 'create', ...addresses, '--cluster-yes'];
  const { status, stdout } = spawnSync('redis-cli', create, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
  await Promise.all(nodes.map(({ url }) => untilOk(url)));
  return {
    url: (nodes[0] as RunningProcess).url,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
      rmSync(folder, { recursive: true });
    },
  };
}

/** Each node says for itself when it knows the whole cluster. */
async function untilOk(url: string): Promise<void> {
  const redis = new Redis(url);
  while (!(await redis.cluster('INFO')).includes('cluster_state:ok')) await redis.ping();
  redis.disconnect();
}
