/** The built tier as a process: behavior that only shows from outside. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInference } from '../../gateway/harness/index.mjs';

test('ONNX Runtime sends no telemetry and stores no identifier of the machine', async () => {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  // The runtime would send nothing anyway if one of these were set.
  const unset = { CI: undefined, ORT_DISABLE_TELEMETRY: undefined };
  const tier = await startInference({ ...unset, HOME: home, INFERENCE_DEVICE: 'cpu' });
  expect(await tier.stop()).toEqual({ code: 0, signal: null });
  expect(await readdir(home, { recursive: true })).toEqual([]);
  await rm(home, { recursive: true });
});
