/**
 * A start that fails leaves no process behind, whatever else was starting at the time.
 *
 * Slow: it waits for processes that never become ready.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordOf } from './cli/process-identity.mjs';
import { withFolder } from './folders.mjs';
import { Part } from './part.mjs';
import { type RunningProcess, startProcess } from './process.mjs';
import { startRedisCluster } from './redis.mjs';
import { startService } from './service.mjs';
import { findProgram } from './setup/system-packages.mjs';

/** A `redis-server` that records its process id in `pids`, runs `first`, and then becomes the real one. */
function recordingRedis(folder: string, first = '') {
  const pids = join(folder, 'pids');
  const bin = join(folder, 'bin');
  const script = `#!/bin/sh\necho $$ >> ${pids}\n${first}\nexec ${findProgram('redis-server')} "$@"\n`;
  mkdirSync(bin);
  writeFileSync(join(bin, 'redis-server'), script, { mode: 0o755 });
  return {
    env: { PATH: `${bin}:${process.env.PATH}` },
    started: () => readFileSync(pids, 'utf8').trim().split('\n').map(Number),
  };
}

const alive = (pids: readonly number[]) => pids.filter((pid) => recordOf(pid).began !== 'unknown');

test('a part that is stopped while it starts ends once the start is over', async () => {
  let proceed = () => {};
  const gate = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const part = new Part<RunningProcess>('gateway', async () => {
    await gate;
    return startProcess('sh', ['-c', 'echo up; exec sleep 60'], { ready: 'up' });
  });
  const starting = part.start();
  const stopping = part.stop();
  proceed();
  const running = await starting;
  await stopping;
  expect(running.hasEnded).toBe(true);
});

test('a cluster with a node that fails ends its other nodes', async () => {
  await withFolder(async (folder) => {
    const { env, started } = recordingRedis(folder, `mkdir ${join(folder, 'failed')} 2>/dev/null && exit 3`);
    await expect(startRedisCluster({ env })).rejects.toThrow('redis ended (exit code 3)');
    expect([started().length, alive(started())]).toEqual([3, []]);
  });
});

test('a service with a tier that fails ends the nodes of its Redis Cluster', async () => {
  await withFolder(async (folder) => {
    const { env, started } = recordingRedis(folder);
    const service = startService({
      cluster: true,
      inferenceEnv: { INFERENCE_WORKERS: 'none' },
      envOf: (part) => (part === 'redis' ? env : {}),
    });
    await expect(service).rejects.toThrow(/INFERENCE_WORKERS/);
    expect([started().length, alive(started())]).toEqual([3, []]);
  });
});
