/** Real parts for end-to-end tests: Redis, the inference tier and the gateway as child processes on free ports. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface RunningProcess {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RunningProcess> {
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await lineOf(child, (line) => line.includes('Ready to accept connections'));
  return { url: `redis://127.0.0.1:${port}`, stop: () => stop(child) };
}

/** @param configuration variables beside those of the tests */
export async function startInference(configuration: Record<string, string> = {}): Promise<RunningProcess> {
  const main = join(__dirname, '..', '..', 'inference', 'dist', 'main.js');
  const env = { ...process.env, INFERENCE_PORT: '0', INFERENCE_WORKERS: '1', ...configuration };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = await lineOf(child, (line) => line.includes('inference ready'));
  return { url: JSON.parse(ready).url, stop: () => stop(child) };
}

export interface RunningGateway extends RunningProcess {
  /** Of metrics and health. */
  readonly operationsUrl: string;
  /** Lines of its log, as they come. */
  readonly log: readonly string[];
}

/** @param configuration variables beside the ports */
export async function startGateway(configuration: Record<string, string>): Promise<RunningGateway> {
  const main = join(__dirname, '..', 'dist', 'main.js');
  const [port, metricsPort] = [await freePort(), await freePort()].map(String) as [string, string];
  const ports = { GATEWAY_PORT: port, GATEWAY_METRICS_PORT: metricsPort };
  const env = { ...process.env, ...ports, ...configuration };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const log: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => log.push(line));
  await lineOf(child, (line) => line.includes('gateway ready'));
  const [url, operationsUrl] = [port, metricsPort].map((one) => `http://127.0.0.1:${one}`) as [
    string,
    string,
  ];
  return { url, operationsUrl, log, stop: () => stop(child) };
}

/** Resolves to the first line of output that fits; rejects when the process ends before. */
function lineOf(child: ChildProcess, fits: (line: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)));
    // Keeps reading after the line, so that the child never blocks on a full pipe.
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (fits(line)) resolve(line);
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
