/** The built tier as a process: what only shows from outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = join(__dirname, '..', 'dist', 'main.js');

test('ONNX Runtime sends no telemetry and stores no identifier of the machine', async () => {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  // Where these are set the runtime would be silent by itself.
  const { CI, ORT_DISABLE_TELEMETRY, ...env } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    env: { ...env, HOME: home, INFERENCE_PORT: '0', INFERENCE_DEVICE: 'cpu', INFERENCE_WORKERS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    if (JSON.parse(line).msg === 'inference ready') child.kill('SIGTERM');
  }
  expect(await closed).toEqual([0, null]);
  expect(await readdir(home, { recursive: true })).toEqual([]);
  await rm(home, { recursive: true });
});
