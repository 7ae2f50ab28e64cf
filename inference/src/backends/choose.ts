/**
 * Chooses the device: `cuda`, else `webgpu`, else `cpu`. A probe first uses each GPU the way the service will. WebGPU also
 * exists in software, slower than the plain CPU, so a device must beat the CPU to be chosen automatically.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/paths';
import type { BackendChoice, BackendName } from './backend';
import { explainMissingProvider } from './cuda-failure';
import type { Device, OnnxDevice } from './device';
import type { ProbeReport, ProbeRequest } from './probe-device';
import { hasTfjsGpu } from './tfjs-gpu';

export type DeviceWish = 'auto' | OnnxDevice;

export interface Choice extends Omit<BackendChoice, 'deviceId' | 'lockMemory'> {
  /** Why better devices were not chosen, for the log. */
  readonly passedOver: readonly PassedOver[];
  /** Set if the device was requested and its probe did not finish: the device may not work. */
  readonly unproven?: string;
}

export interface PassedOver {
  readonly device: Device;
  readonly reason: string;
  /** True if the probe did not finish, so that the device may still work. */
  readonly unproven?: boolean;
}

/** `works` is undefined if the probe did not finish in time. */
export type ProbeOutcome = ProbeReport | { readonly works: undefined; readonly message: string };

export type Prober = (request: ProbeRequest, timeoutMs: number) => Promise<ProbeOutcome>;

export interface Wish {
  readonly backend: BackendName;
  readonly device: DeviceWish;
  readonly deviceIds: readonly number[];
  /** Number of threads that would run models on a device. */
  readonly threadsOn: (device: OnnxDevice) => number;
  /** Whether TFJS's GPU package is installed. */
  readonly tfjsGpu?: () => boolean;
  readonly probe?: Prober;
}

/** Together, these timeouts limit the time that probing adds to a start to 10 s. */
const gpuProbeMs = 8_000;
const cpuProbeMs = 2_000;
/** Threads with which the CPU is timed. Starting more would take longer than the probe may. */
const maxCpuThreads = 8;

const ownIds =
  'INFERENCE_DEVICE_IDS selects CUDA devices, and WebGPU computes on the one that its driver prefers';

/** @throws Error, one sentence, if a requested device does not work. */
export async function chooseBackend(wish: Wish): Promise<Choice> {
  if (wish.backend === 'tfjs') return chooseTfjs(wish);
  const { device } = wish;
  if (device === 'auto') return chooseAutomatically(wish);
  if (device === 'cpu') return { name: 'onnx', device, passedOver: [] };
  if (device === 'webgpu' && hasOwnIds(wish)) throw new Error(`${ownIds}: leave it unset`);
  const outcome = await tryDevice(device, wish);
  if (outcome.works === false) {
    const { message, remedy = 'install a Vulkan driver and give the process a GPU' } = outcome;
    throw new Error(
      `INFERENCE_DEVICE asks for ${device}, which does not work here: ${message}. To use it, ${remedy}. To do without it, set INFERENCE_DEVICE=auto`,
    );
  }
  const unproven = outcome.works === undefined ? { unproven: outcome.message } : {};
  return { name: 'onnx', device, passedOver: [], ...unproven };
}

async function chooseAutomatically(wish: Wish): Promise<Choice> {
  const passedOver: PassedOver[] = [];
  const candidates = ['cuda', 'webgpu'] as const;
  // Both probes run in parallel, because without a GPU they fail within moments.
  const outcomes = await Promise.all(
    candidates.map((device) =>
      device === 'webgpu' && hasOwnIds(wish)
        ? ({ works: false, message: ownIds } as const)
        : tryDevice(device, wish),
    ),
  );
  const cpuMs = outcomes.some(({ works }) => works) ? await timeCpu(wish) : undefined;
  for (const [i, device] of candidates.entries()) {
    const outcome = outcomes[i] as ProbeOutcome;
    const unproven = outcome.works === undefined && { unproven: true };
    const reason = outcome.works ? slowness(device, outcome.runMs, cpuMs) : outcome.message;
    if (reason === undefined) return { name: 'onnx', device, passedOver };
    passedOver.push({ device, reason, ...unproven });
  }
  return { name: 'onnx', device: 'cpu', passedOver };
}

/** @returns milliseconds per run with all workers that a CPU would have; undefined if the probe took too long */
async function timeCpu(wish: Wish): Promise<number | undefined> {
  const workers = wish.threadsOn('cpu');
  const threads = Math.min(workers, maxCpuThreads);
  const outcome = await tryDevice('cpu', { ...wish, threadsOn: () => threads });
  return outcome.works ? (outcome.runMs * threads) / workers : undefined;
}

/** @returns why a working device is no better than the CPU, or undefined if it is better */
function slowness(device: Device, runMs: number, cpuMs: number | undefined): string | undefined {
  // WebGPU also exists in software; CUDA does not.
  if (cpuMs === undefined) return device === 'webgpu' ? 'it could not be compared with the CPU' : undefined;
  if (runMs < cpuMs) return undefined;
  return `slower than the CPU: ${runMs.toFixed(1)} ms against ${cpuMs.toFixed(1)} ms`;
}

const hasOwnIds = ({ deviceIds }: Wish) => deviceIds.some((id) => id !== 0);

function tryDevice(device: OnnxDevice, { deviceIds, threadsOn, probe = probeDevice }: Wish) {
  return probe(
    { device, deviceIds: device === 'cpu' ? [0] : deviceIds, threads: threadsOn(device) },
    device === 'cpu' ? cpuProbeMs : gpuProbeMs,
  );
}

function chooseTfjs({ device, tfjsGpu = hasTfjsGpu }: Wish): Choice {
  if (device === 'webgpu') {
    throw new Error(
      'INFERENCE_DEVICE=webgpu needs INFERENCE_BACKEND=onnx; TFJS computes on cuda or cpu here',
    );
  }
  const gpu = device !== 'cpu' && tfjsGpu();
  if (device === 'cuda' && !gpu) {
    throw new Error(
      'INFERENCE_DEVICE=cuda with INFERENCE_BACKEND=tfjs needs the package @tensorflow/tfjs-node-gpu; install it or set INFERENCE_DEVICE=auto',
    );
  }
  return { name: 'tfjs', device: gpu ? 'tensorflow' : 'wasm', passedOver: [] };
}

/** Probes a device in a child process, unless a look at the installed files says that it cannot work. */
export const probeDevice: Prober = async (request, timeoutMs) => {
  const missing = request.device === 'cuda' ? explainMissingProvider() : undefined;
  return missing ? { works: false, ...missing } : probeInChild(request, timeoutMs);
};

const probeInChild: Prober = (request, timeoutMs) =>
  new Promise((resolve) => {
    const script = join(packageRoot, 'dist', 'backends', 'probe-device.js');
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, [script, JSON.stringify(request)], options, (error, stdout) => {
      const line = stdout.trim().split('\n').at(-1) ?? '';
      if (line.startsWith('{')) resolve(JSON.parse(line));
      else if (error?.killed)
        resolve({ works: undefined, message: `no result within ${timeoutMs / 1000} s` });
      else resolve({ works: false, message: crash(error) });
    });
  });

function crash(error: (Error & { signal?: NodeJS.Signals | null }) | null): string {
  if (error?.signal) return `the driver ended its process with ${error.signal}`;
  return error?.message ?? 'the probe printed nothing';
}
