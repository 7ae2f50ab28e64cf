/** A whole process, since a thread that dies may take down what tests it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { photo } from '../../test/photos';

const root = join(__dirname, '..', '..');

test('a thread that dies while it replaces another is started again, and the waiting request is served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-revival-'));
  const threads = join(folder, 'threads');
  const child = spawn(process.execPath, [join(root, 'dist', 'main.js')], {
    env: {
      ...process.env,
      ...{ INFERENCE_PORT: '0', INFERENCE_WORKERS: '1', INFERENCE_DEVICE: 'cpu', THREADS: threads },
      NODE_OPTIONS: `--require=${join(root, 'test', 'second-thread-dies.cjs')}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let url = '';
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('inference ready')) {
        ({ url } = JSON.parse(line));
        break;
      }
    }
    child.stdout.resume();
    const detect = () =>
      fetch(`${url}/detect`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', 'x-deadline-ms': '60000' },
        body: Uint8Array.from(photo(4)),
        signal: AbortSignal.timeout(30_000),
      }).then(({ status }) => status);
    expect(await detect()).toBe(200);
    child.kill('SIGUSR2');
    // As many as may be under way at once wait for a thread that never comes, and nothing else asks for one.
    const waited = await Promise.all([detect(), detect(), detect()]);
    expect(waited.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    // Nothing is wrong with what a thread that died was given.
    expect(waited.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await detect()).toBe(200);
    expect(readFileSync(threads, 'utf8')).toBe('...');
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  }
}, 120_000);
