import { chooseBackend, probeDevice, type Wish } from './choose';
import type { OnnxDevice } from './onnx';
import type { ProbeReport } from './probe-device';

/** A machine by what its devices report; those not named are not there. */
const machine =
  (reports: Partial<Record<OnnxDevice, ProbeReport>>) =>
  async (device: OnnxDevice): Promise<ProbeReport> =>
    reports[device] ?? { works: false, message: `no ${device}` };
const works = (runMs: number): ProbeReport => ({ works: true, runMs, sum: 1 });
const wish = (changes: Partial<Wish>): Wish => ({
  backend: 'onnx',
  device: 'auto',
  deviceIds: [0],
  tfjsGpu: () => false,
  ...changes,
});
const cpu = works(20);

describe('auto takes the first that works', () => {
  test('cuda before webgpu', async () => {
    const probe = machine({ cpu, cuda: works(1), webgpu: works(2) });
    expect(await chooseBackend(wish({ probe }))).toEqual({ name: 'onnx', device: 'cuda', passedOver: [] });
  });

  test('webgpu without cuda', async () => {
    const probe = machine({ cpu, webgpu: works(2) });
    expect(await chooseBackend(wish({ probe }))).toMatchObject({
      device: 'webgpu',
      passedOver: [{ device: 'cuda', reason: 'no cuda' }],
    });
  });

  test('not a WebGPU in software, which the CPU beats', async () => {
    const { device, passedOver } = await chooseBackend(wish({ probe: machine({ cpu, webgpu: works(300) }) }));
    expect(device).toBe('cpu');
    expect(passedOver[1]).toEqual({
      device: 'webgpu',
      reason: 'slower than the CPU: 300.0 ms against 20.0 ms',
    });
  });

  test('the CPU where nothing else is', async () => {
    expect((await chooseBackend(wish({ probe: machine({}) }))).device).toBe('cpu');
  });
});

test.each(['cuda', 'webgpu'] as const)(
  'asking for %s where it is not stops with one sentence',
  async (device) => {
    const choosing = chooseBackend(wish({ device, probe: machine({ cpu }) }));
    await expect(choosing).rejects.toThrow(
      new RegExp(
        `^INFERENCE_DEVICE asks for ${device} \\(device 0\\), which does not work here .*: install .*`,
      ),
    );
  },
);

test('every device id is tried', async () => {
  const probe = async (_: OnnxDevice, id: number): Promise<ProbeReport> =>
    id === 1 ? { works: false, message: 'invalid device ordinal' } : works(1);
  await expect(chooseBackend(wish({ device: 'cuda', deviceIds: [0, 1], probe }))).rejects.toThrow(
    '(device 1)',
  );
});

test('tfjs computes on a GPU where its package is, else on WebAssembly', async () => {
  expect((await chooseBackend(wish({ backend: 'tfjs' }))).device).toBe('wasm');
  expect((await chooseBackend(wish({ backend: 'tfjs', tfjsGpu: () => true }))).device).toBe('tensorflow');
  expect((await chooseBackend(wish({ backend: 'tfjs', device: 'cpu', tfjsGpu: () => true }))).device).toBe(
    'wasm',
  );
  await expect(chooseBackend(wish({ backend: 'tfjs', device: 'cuda' }))).rejects.toThrow('tfjs-node-gpu');
  await expect(chooseBackend(wish({ backend: 'tfjs', device: 'webgpu' }))).rejects.toThrow(
    'INFERENCE_BACKEND=onnx',
  );
});

test('a real probe runs the CPU, and reports a device that cannot be instead of dying of it', async () => {
  expect(await probeDevice('cpu', 0)).toMatchObject({ works: true, sum: expect.any(Number) });
  const nowhere = await probeDevice('cuda', 99);
  expect(nowhere).toMatchObject({ works: false, message: expect.stringMatching(/\S/) });
});
