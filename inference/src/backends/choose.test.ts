import { chooseBackend, type ProbeOutcome, probeDevice, type Wish } from './choose';
import type { OnnxDevice } from './device';
import type { ProbeRequest } from './probe-device';

/** A machine that has the named devices, each with its report. */
const machine =
  (outcomes: Partial<Record<OnnxDevice, ProbeOutcome>>) =>
  async ({ device }: ProbeRequest): Promise<ProbeOutcome> =>
    outcomes[device] ?? { works: false, message: `no ${device}` };
const works = (runMs: number): ProbeOutcome => ({ works: true, runMs });
const hangs: ProbeOutcome = { works: undefined, message: 'no result within 8 s' };
const wish = (changes: Partial<Wish>): Wish => ({
  backend: 'onnx',
  device: 'auto',
  deviceIds: [0],
  threadsOn: () => 2,
  tfjsGpu: () => false,
  ...changes,
});
const cpu = works(20);

describe('auto takes the first device that works', () => {
  test('CUDA before WebGPU', async () => {
    const probe = machine({ cpu, cuda: works(1), webgpu: works(2) });
    expect(await chooseBackend(wish({ probe }))).toEqual({ name: 'onnx', device: 'cuda', passedOver: [] });
  });

  test('WebGPU without CUDA', async () => {
    const probe = machine({ cpu, webgpu: works(2) });
    expect(await chooseBackend(wish({ probe }))).toMatchObject({
      device: 'webgpu',
      passedOver: [{ device: 'cuda', reason: 'no cuda' }],
    });
  });

  test('the CPU where WebGPU in software is slower', async () => {
    const { device, passedOver } = await chooseBackend(wish({ probe: machine({ cpu, webgpu: works(300) }) }));
    expect(device).toBe('cpu');
    expect(passedOver[1]).toEqual({
      device: 'webgpu',
      reason: 'slower than the CPU: 300.0 ms against 20.0 ms',
    });
  });

  test('the CPU where no other device exists', async () => {
    expect((await chooseBackend(wish({ probe: machine({}) }))).device).toBe('cpu');
  });

  test('the CPU where a probe does not finish', async () => {
    expect(await chooseBackend(wish({ probe: machine({ cpu, cuda: hangs, webgpu: hangs }) }))).toMatchObject({
      device: 'cpu',
      passedOver: [
        { device: 'cuda', reason: 'no result within 8 s', unproven: true },
        { device: 'webgpu', reason: 'no result within 8 s', unproven: true },
      ],
    });
  });

  test('CUDA, but not WebGPU, where the CPU takes too long to compare', async () => {
    const slow = { cpu: hangs, webgpu: works(2_917) };
    expect(await chooseBackend(wish({ probe: machine(slow) }))).toMatchObject({
      device: 'cpu',
      passedOver: [{ device: 'cuda' }, { device: 'webgpu', reason: 'it could not be compared with the CPU' }],
    });
    expect((await chooseBackend(wish({ probe: machine({ ...slow, cuda: works(5) }) }))).device).toBe('cuda');
  });
});

test('probes a device with its future workers and device ids, for at most 10 s in total', async () => {
  const asked: [ProbeRequest, number][] = [];
  const probe: Wish['probe'] = async (request, timeoutMs) => {
    asked.push([request, timeoutMs]);
    return request.device === 'webgpu' ? { works: false, message: 'none' } : works(1);
  };
  await chooseBackend(wish({ deviceIds: [0, 1], threadsOn: (device) => (device === 'cpu' ? 16 : 4), probe }));
  expect(asked).toEqual([
    [{ device: 'cuda', deviceIds: [0, 1], threads: 4 }, 8_000],
    [{ device: 'cpu', deviceIds: [0], threads: 8 }, 2_000],
  ]);
});

test('a requested device that does not work stops the start with cause and remedy', async () => {
  const probe = async (): Promise<ProbeOutcome> => ({
    works: false,
    message: 'the library libcublas.so.13 is missing',
    remedy: 'install CUDA 13',
  });
  await expect(chooseBackend(wish({ device: 'cuda', probe }))).rejects.toThrow(
    'INFERENCE_DEVICE asks for cuda, which does not work here: the library libcublas.so.13 is missing. To use it, install CUDA 13. To do without it, set INFERENCE_DEVICE=auto',
  );
  await expect(chooseBackend(wish({ device: 'webgpu', probe: machine({}) }))).rejects.toThrow(
    'no webgpu. To use it, install a Vulkan driver',
  );
});

test('starts with a requested device although its probe does not finish', async () => {
  const choice = await chooseBackend(wish({ device: 'cuda', probe: machine({ cuda: hangs }) }));
  expect(choice).toEqual({ name: 'onnx', device: 'cuda', passedOver: [], unproven: 'no result within 8 s' });
});

test('INFERENCE_DEVICE_IDS is refused on WebGPU, which has no numbers for its devices', async () => {
  const probe = machine({ cpu, webgpu: works(1) });
  await expect(chooseBackend(wish({ device: 'webgpu', deviceIds: [1], probe }))).rejects.toThrow(
    'INFERENCE_DEVICE_IDS selects CUDA devices',
  );
  expect(await chooseBackend(wish({ deviceIds: [0, 1], probe }))).toMatchObject({
    device: 'cpu',
    passedOver: [
      { device: 'cuda', reason: 'no cuda' },
      { device: 'webgpu', reason: expect.stringContaining('INFERENCE_DEVICE_IDS selects CUDA devices') },
    ],
  });
});

test('TFJS computes on a GPU where its package is installed, else on WebAssembly', async () => {
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

test('a real probe times the CPU with several threads, reports a missing device, and ends in time', async () => {
  const minute = 60_000;
  expect(await probeDevice({ device: 'cpu', deviceIds: [0], threads: 2 }, minute)).toEqual({
    works: true,
    runMs: expect.any(Number),
  });
  expect(await probeDevice({ device: 'cuda', deviceIds: [99], threads: 1 }, minute)).toEqual({
    works: false,
    message: expect.stringMatching(/\S/),
    remedy: expect.stringMatching(/\S/),
  });
  expect(await probeDevice({ device: 'cpu', deviceIds: [0], threads: 1 }, 1)).toEqual({
    works: undefined,
    message: 'no result within 0.001 s',
  });
});
