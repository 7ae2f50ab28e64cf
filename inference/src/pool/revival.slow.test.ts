/**
 * A whole process, since a thread that dies may take down what tests it.
 *
 * Slow: it starts a tier, kills its threads and waits for new ones.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInference } from '../../../gateway/harness/index.mjs';
import { photo } from '../../test/photos';

const root = join(__dirname, '..', '..');

test('a thread that dies while it replaces another is started again, and the waiting request is served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-revival-'));
  const threads = join(folder, 'threads');
  const tier = await startInference({
    INFERENCE_DEVICE: 'cpu',
    THREADS: threads,
    NODE_OPTIONS: `--require=${join(root, 'test', 'second-thread-dies.cjs')}`,
  });
  try {
    const detect = () =>
      fetch(`${tier.url}/detect`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', 'x-deadline-ms': '600000' },
        body: Uint8Array.from(photo(4)),
      }).then(({ status }) => status);
    expect(await detect()).toBe(200);
    tier.child.kill('SIGUSR2');
    // All permitted tasks wait for a thread that never comes, and nothing else asks for one.
    const waited = await Promise.all([detect(), detect(), detect()]);
    expect(waited.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    // The tasks of a thread that died are intact.
    expect(waited.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await detect()).toBe(200);
    expect(readFileSync(threads, 'utf8')).toBe('...');
  } finally {
    await tier.stop();
    rmSync(folder, { recursive: true });
  }
});
