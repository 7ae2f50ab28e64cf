/** Real parts for end-to-end tests: Redis, the inference tier and the gateway as child processes on free ports. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';

export interface RunningProcess {
  readonly url: string;
  stop(): Promise<void>;
  /** Ends it as a crash would, without a word of warning. */
  kill(): Promise<void>;
}

export const startRedis = async (...options: readonly string[]): Promise<RunningProcess> =>
  startRedisOn(await freePort(), ...options);

async function startRedisOn(port: number, ...options: readonly string[]): Promise<RunningProcess> {
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', [...fixed, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  await lineOf(child, (line) => line.includes('Ready to accept connections'));
  return running(child, `redis://127.0.0.1:${port}`);
}

/** One that finds its data again when it is started on the same folder. */
export async function startDurableRedis(folder: string, port: number): Promise<RunningProcess> {
  return startRedisOn(port, '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'everysec');
}

/** Three masters that share the slots between them. The URL is one node's. */
export async function startRedisCluster(): Promise<RunningProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-cluster-'));
  const nodes = await Promise.all(
    [1, 2, 3].map((node) =>
      startRedis('--cluster-enabled', 'yes', '--dir', folder, '--cluster-config-file', `${node}.conf`),
    ),
  );
  const all = (end: (node: RunningProcess) => Promise<void>) => Promise.all(nodes.map(end));
  const addresses = nodes.map(({ url }) => new URL(url).host);
  const create = ['--cluster', 'create', ...addresses, '--cluster-yes'];
  const { status, stdout } = spawnSync('redis-cli', create, { encoding: 'utf8' });
  if (status !== 0) {
    await all((node) => node.stop());
    throw new Error(stdout);
  }
  await all(({ url }) => untilClusterOk(url));
  return {
    url: (nodes[0] as RunningProcess).url,
    async stop() {
      await all((node) => node.stop());
      rmSync(folder, { recursive: true });
    },
    async kill() {
      await all((node) => node.kill());
    },
  };
}

/** Each node says for itself when it knows the whole cluster. */
async function untilClusterOk(url: string): Promise<void> {
  const redis = new Redis(url);
  while (!(await redis.cluster('INFO')).includes('cluster_state:ok')) await redis.ping();
  redis.disconnect();
}

/** @param configuration variables beside those of the tests */
export async function startInference(configuration: Record<string, string> = {}): Promise<RunningProcess> {
  const main = join(__dirname, '..', '..', 'inference', 'dist', 'main.js');
  const env = { ...process.env, INFERENCE_PORT: '0', INFERENCE_WORKERS: '1', ...configuration };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = await lineOf(child, (line) => line.includes('inference ready'));
  return running(child, JSON.parse(ready).url);
}

export interface RunningGateway extends RunningProcess {
  /** Of metrics and health. */
  readonly operationsUrl: string;
  /** Lines of its log, as they come. */
  readonly log: readonly string[];
}

/** @param configuration variables; a port is found where none is given */
export async function startGateway(configuration: Record<string, string>): Promise<RunningGateway> {
  const main = join(__dirname, '..', 'dist', 'main.js');
  const port = configuration.GATEWAY_PORT ?? String(await freePort());
  const metricsPort = String(await freePort());
  const journal = join(tmpdir(), `presenza-journal-${randomUUID()}`);
  const ports = { GATEWAY_PORT: port, GATEWAY_METRICS_PORT: metricsPort, GATEWAY_JOURNAL: journal };
  const env = { ...process.env, ...ports, ...configuration };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const log: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => log.push(line));
  await lineOf(child, (line) => line.includes('gateway ready'));
  const [url, operationsUrl] = [port, metricsPort].map((one) => `http://127.0.0.1:${one}`) as [
    string,
    string,
  ];
  return { ...running(child, url), operationsUrl, log };
}

/** The built site. @param configuration its variables, such as API_URL */
export async function startSite(configuration: Record<string, string>): Promise<RunningProcess> {
  const server = join(__dirname, '..', '..', 'web', 'serve.mjs');
  const env = { ...process.env, WEB_PORT: '0', ...configuration };
  const child = spawn(process.execPath, [server], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const listening = await lineOf(child, (line) => line.includes('site listening'));
  return running(child, JSON.parse(listening).url);
}

/** Resolves to the first line of output that fits; rejects when the process ends before. */
function lineOf(child: ChildProcess, fits: (line: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // Not 'exit': its last lines may still be on their way.
    child.once('close', (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)));
    // Keeps reading after the line, so that the child never blocks on a full pipe.
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (fits(line)) resolve(line);
    });
  });
}

const running = (child: ChildProcess, url: string): RunningProcess => ({
  url,
  stop: () => end(child, 'SIGTERM'),
  kill: () => end(child, 'SIGKILL'),
});

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
