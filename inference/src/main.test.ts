/** The built tier as a process: what only shows from outside. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInference } from '../../deploy/local/harness/index.mjs';

test("ONNX Runtime's telemetry is off: no identifier of the machine, nothing kept to be sent", async () => {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  // Where these are set the runtime would be silent by itself.
  const unset = { CI: undefined, ORT_DISABLE_TELEMETRY: undefined };
  const tier = await startInference({ ...unset, HOME: home, INFERENCE_DEVICE: 'cpu' });
  expect(await tier.stop()).toEqual({ code: 0, signal: null });
  expect(await readdir(home, { recursive: true })).toEqual([]);
  await rm(home, { recursive: true });
});
