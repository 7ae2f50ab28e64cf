/** Real parts for end-to-end tests: a Redis server and the inference tier as child processes on free ports. */
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

/** @param more options of `redis-server`. */
export async function startRedis(more: readonly string[] = []): Promise<RunningProcess> {
  const port = await freePort();
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    ...more,
  ];
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await lineOf(child, (line) => line.includes('Ready to accept connections'));
  return { url: `redis://127.0.0.1:${port}`, stop: () => stop(child) };
}

export async function startInference(): Promise<RunningProcess> {
  const main = join(__dirname, '..', '..', 'inference', 'dist', 'main.js');
  const env = { ...process.env, INFERENCE_PORT: '0', INFERENCE_WORKERS: '1' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = await lineOf(child, (line) => line.includes('inference ready'));
  return { url: JSON.parse(ready).url, stop: () => stop(child) };
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
