/**
 * WebGPU for real, on a driver in software: that it is found, and that several threads may use it. Processes of their
 * own, because the driver is loaded once per process. `npm run test:gpu` tries the whole tier.
 *
 * Slow: Chromium's graphics driver in software runs every model, which takes half a minute of processor time.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { probeNow } from '../../test/probe';
import { servingModels } from '../../test/setup';
import { softwareVulkan } from '../../test/software-vulkan';
import { OnnxBackend } from './onnx';

const environment = softwareVulkan();
const testOnVulkan = environment ? test : test.skip;
const env = { ...process.env, ...environment };
const run = promisify(execFile);

testOnVulkan('a probe finds it with two threads', () => {
  expect(probeNow('webgpu', 2, env)).toEqual({ works: true, runMs: expect.any(Number) });
});

testOnVulkan('two threads load, run and close a model at once, and get what the CPU gets', async () => {
  const { expression: spec } = (await servingModels()).models;
  const script = join(__dirname, '..', '..', 'test', 'webgpu-threads.cjs');
  const { stdout } = await run(process.execPath, [script, JSON.stringify(spec)], { env });
  const results: number[][][] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(results).toHaveLength(6);

  const model = await new OnnxBackend().load(spec);
  const { width, height, channels } = spec.input;
  const pixels = Uint8Array.from({ length: width * height * channels }, (_, i) => (i * 7) % 256);
  const expected = Object.values(await model.run(pixels, 1));
  await model.close();
  for (const outputs of results) {
    for (const [i, values] of outputs.entries()) {
      values.forEach((value, k) => {
        expect(value).toBeCloseTo(expected[i]?.[k] as number, 4);
      });
    }
  }
});
