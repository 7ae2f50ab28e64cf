/** The steps of the documentation for a backup, a restore and a replica. */
import { join } from 'node:path';
import { HOST, redisCommand, runToEnd, startRedis, waitUntil } from '../../../gateway/harness/index.mjs';
import { ROOT } from '../../lib/paths.mjs';

const restoreScript = join(ROOT, 'deploy/docker/restore.sh');

/** @param {() => unknown} act @returns {Promise<number>} that it took */
export async function seconds(act) {
  const begin = performance.now();
  await act();
  return (performance.now() - begin) / 1e3;
}

/** @param {string} script @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
async function shell(script, args, env) {
  const { code, stdout, stderr } = await runToEnd('sh', ['-euc', script, 'sh', ...args], {
    ...(env && { env }),
  });
  if (code !== 0) throw new Error(`A step of the documentation failed: ${stderr}`);
  return stdout;
}

/** The documented backup, without the container. @param {string} url @param {string} file */
export const backUp = (url, file) => shell('redis-cli -u "$1" --rdb - > "$2"', [url, file]);

/** The documented restore, without the container. @returns {Promise<number>} keys */
export async function restore(file, folder) {
  const printed = await shell('sh -c "$(cat "$1")" < "$2"', [restoreScript, file], { DATA: folder });
  return Number(/^Restored (\d+) keys/.exec(printed)?.[1]);
}

/** @param {import('../../../gateway/harness/index.mjs').Service} service */
export async function startReplica({ redis, redisUrl }) {
  const { port } = /** @type {import('../../../gateway/harness/index.mjs').RunningRedis} */ (redis.running);
  // cspell:ignore replicaof
  const replica = await startRedis({ durable: true, config: { replicaof: `${HOST} ${port}` } });
  await waitUntil(`the replica has what ${redisUrl} has`, async () =>
    (await redisCommand(replica.url, ['INFO', 'replication'])).includes('master_link_status:up'),
  );
  return replica;
}

/** Reads the files that the lost Redis left. */
export async function withLost(folder, use) {
  const lost = await startRedis({ folder, durable: true });
  try {
    return await use(lost.url);
  } finally {
    await lost.stop();
  }
}
