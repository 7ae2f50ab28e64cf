/**
 * Runs the scripts of the Redis Cluster with six real Redis servers on this machine. Each has its own address in
 * 127.0.0.0/8 and the name of its pod. The tests create a cluster, create it again, which changes nothing, and restart
 * all nodes under other addresses. They then find each other and keep their data, even while DNS returns old
 * addresses.
 * Finally, they are restored from copies of their folders.
 *
 * Slow: it starts a Redis Cluster of six servers and lets one fail.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RunningProcess } from '../../../gateway/harness/process.mjs';
import { reap } from '../../../gateway/harness/reaper.mjs';
import { waitUntil } from '../../../gateway/harness/wait.mjs';
import { FOLDER, rewriteCommand } from './manifests';

const COMPONENT = join(FOLDER, 'components/redis-cluster');
const script = (name: string) => join(COMPONENT, 'scripts', name);
const run = promisify(execFile);

const PORT = 21_000 + (process.pid % 10_000);
const password = 'ab'.repeat(16);
const folder = mkdtempSync(join(tmpdir(), 'presenza-cluster-'));
const numbers = [1, 2, 3, 4, 5, 6];
const linux = process.platform === 'linux' ? describe : describe.skip; // elsewhere 127.0.0.1 alone is this machine's

let running: RunningProcess[] = [];

const addressOf = (network: number, node: number) => `127.77.${network}.${node}`;
const nameOf = (node: number) => `redis-cluster-${node - 1}.redis-cluster`;

/** Stands in for the DNS of a cluster: a file of names, which `getent` reads, and a list of the names it looked up. */
const [names, asked, bin] = [join(folder, 'names'), join(folder, 'asked'), join(folder, 'bin')];
mkdirSync(bin);
writeFileSync(
  join(bin, 'getent'),
  `#!/bin/sh\necho "$2" >>'${asked}'\nsed -n "s/ $2\\$/ STREAM/p" '${names}'\n`,
  { mode: 0o755 },
);

/** Publishes the addresses of all nodes in this network under their names. No node has asked for one yet. */
function resolveTo(network: number): void {
  writeFileSync(names, numbers.map((node) => `${addressOf(network, node)} ${nameOf(node)}\n`).join(''));
  writeFileSync(asked, '');
}

const env = (more: Record<string, string> = {}) => ({
  PATH: `${bin}:${process.env.PATH}`,
  REDISCLI_AUTH: password,
  NODES: numbers.map((node) => `${nameOf(node)}:${PORT}`).join(' '),
  ...more,
});

/** redis.conf, but for /data: a folder that only containers have. */
const config = join(folder, 'redis.conf');
writeFileSync(config, readFileSync(join(COMPONENT, 'redis.conf'), 'utf8').replace(/^dir .*$/m, ''));

/** Starts the nodes under addresses of a network, each in its own folder. */
function start(network: number): void {
  running = numbers.map((node) => {
    const nodeFolder = join(folder, String(node));
    mkdirSync(nodeFolder, { recursive: true });
    const address = addressOf(network, node);
    const settings = [
      `bind ${address}`,
      `port ${PORT}`,
      `dir ${nodeFolder}`,
      'cluster-node-timeout 5000', // a machine under load delays a node by more than a second
    ];
    const given = { CONFIG: config, REDIS_MAXMEMORY: '64mb', POD_IP: address, SELF: `${address}:${PORT}` };
    const redis = new RunningProcess('sh', [script('start.sh')], {
      name: nameOf(node),
      env: env({ ...given, NODE_SETTINGS: settings.join('\n') }),
    });
    reap(redis.child);
    return redis;
  });
}

/** Waits until every node has looked up every name. */
async function looked(): Promise<void> {
  const all = numbers.length ** 2;
  await waitUntil(
    'every node has looked up every name',
    () => readFileSync(asked, 'utf8').split('\n').length > all,
  );
}

/** Redis ignores SIGTERM while a replica writes its first append-only file, so this repeats the signal. */
async function stop(): Promise<void> {
  await Promise.all(
    running.map(({ name, child }) =>
      // `kill` returns false once the process has ended.
      waitUntil(`${name} ends`, () => !child.kill('SIGTERM'), { intervalMs: 1000, wakeOn: [child, 'exit'] }),
    ),
  );
  running = [];
}

/** Succeeds only when every slot is served, as every node sees it. Fails if a node ends, for which the script would wait. */
async function create(): Promise<string> {
  const nodeEnd = new AbortController();
  for (const redis of running)
    void redis.ended.then(() => nodeEnd.abort(new Error(`${redis.name} ended:\n${redis.tail}`)));
  return (await run('sh', [script('create.sh')], { env: env(), signal: nodeEnd.signal })).stdout;
}

const cli = async (network: number, ...command: string[]) =>
  (
    await run('redis-cli', ['-c', '-h', addressOf(network, 1), '-p', String(PORT), ...command], {
      env: env(),
    })
  ).stdout;

const keys = ['{acc_1}:usage', '{acc_2}:usage', '{acc_3}:usage', '{acc_4}:usage'];

linux('six nodes', () => {
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('become a cluster of three primaries with a replica each', async () => {
    resolveTo(0);
    start(0);
    expect(await create()).toContain('All 16384 slots covered');
    const nodes = (await cli(0, 'cluster', 'nodes')).trim().split('\n');
    expect(nodes.filter((line) => / (myself,)?master /.test(line))).toHaveLength(3);
    expect(nodes.filter((line) => / (myself,)?slave /.test(line))).toHaveLength(3);
    for (const key of keys) await cli(0, 'set', key, key);
  });

  test('stay as they are when the Job runs again', async () => {
    const before = await cli(0, 'cluster', 'myid');
    expect(await create()).toContain('There is a cluster already');
    expect([await cli(0, 'cluster', 'myid'), await cli(0, 'get', keys[0] as string)]).toEqual([
      before,
      `${keys[0]}\n`,
    ]);
  });

  test('find each other after a restart with new addresses that DNS publishes late, and keep their data', async () => {
    await stop();
    resolveTo(0);
    start(1);
    await looked();
    resolveTo(1);
    // The Job fails while a node loads its file, and Kubernetes runs it again.
    expect(await waitUntil('the Job succeeds', create)).toContain('There is a cluster already');
    for (const key of keys) expect(await cli(1, 'get', key)).toBe(`${key}\n`);
  });

  test('are all rewritten by the daily CronJob', async () => {
    const nodes = numbers.map((node) => addressOf(1, node));
    const [program = '', ...args] = rewriteCommand();
    await run(program, args, { env: env({ NODES: nodes.map((host) => `${host}:${PORT}`).join(' ') }) });
    for (const host of nodes) {
      const asked = ['-h', host, '-p', String(PORT), 'info', 'commandstats'];
      expect((await run('redis-cli', asked, { env: env() })).stdout).toContain(
        'cmdstat_bgrewriteaof:calls=1,',
      );
    }
  });

  test('require the password', async () => {
    const { stdout } = await run('redis-cli', ['-h', addressOf(1, 1), '-p', String(PORT), 'dbsize'], {
      env: { PATH: process.env.PATH },
    });
    expect(stdout).toContain('NOAUTH');
  });

  test('return to the state of copies of their folders that were made while they ran', async () => {
    const folders = numbers.map((node) => join(folder, String(node)));
    for (const nodeFolder of folders) cpSync(nodeFolder, `${nodeFolder}-copy`, { recursive: true });
    for (const key of keys) await cli(1, 'set', key, 'written later');
    await stop();
    for (const nodeFolder of folders) {
      rmSync(nodeFolder, { recursive: true });
      renameSync(`${nodeFolder}-copy`, nodeFolder);
    }
    resolveTo(2);
    start(2);
    expect(await waitUntil('the Job succeeds', create)).toContain('There is a cluster already');
    for (const key of keys) expect(await cli(2, 'get', key)).toBe(`${key}\n`);
  });
});

test('the configuration of a node begins with that of the single Redis', () => {
  const single = readFileSync(join(FOLDER, 'base/redis/redis.conf'), 'utf8');
  expect(readFileSync(join(COMPONENT, 'redis.conf'), 'utf8').startsWith(single)).toBe(true);
});
