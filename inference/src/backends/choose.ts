/**
 * Chooses what computes: `cuda`, else `webgpu`, else `cpu`, each tried by running a small model there. WebGPU also
 * exists as software, slower than the plain CPU, so a device must beat the CPU to be chosen by itself.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../paths';
import type { BackendChoice, BackendName, Device } from './backend';
import type { OnnxDevice } from './onnx';
import type { ProbeReport } from './probe-device';
import { hasTfjsGpu } from './tfjs-gpu';

export type DeviceWish = 'auto' | OnnxDevice;

export interface Choice extends Omit<BackendChoice, 'deviceId'> {
  /** Why the better devices were not chosen; for the log. */
  readonly passedOver: readonly { readonly device: Device; readonly reason: string }[];
}

export type Prober = (device: OnnxDevice, deviceId: number) => Promise<ProbeReport>;

export interface Wish {
  readonly backend: BackendName;
  readonly device: DeviceWish;
  readonly deviceIds: readonly number[];
  /** Whether TFJS has its GPU package. Default: whether it is installed. */
  readonly tfjsGpu?: () => boolean;
  readonly probe?: Prober;
}

const remedies: Readonly<Record<OnnxDevice, string>> = {
  cuda: 'install the CUDA provider (ONNXRUNTIME_NODE_INSTALL=cuda12) with the CUDA and cuDNN it was made for, and give the process a GPU',
  webgpu: 'install a Vulkan driver and give the process a GPU',
  cpu: 'reinstall onnxruntime-node',
};

/** @throws Error, one sentence, when a device that was asked for is not there. */
export async function chooseBackend(wish: Wish): Promise<Choice> {
  if (wish.backend === 'tfjs') return chooseTfjs(wish);
  const { device, deviceIds, probe = probeDevice } = wish;
  if (device !== 'auto') {
    for (const deviceId of device === 'cpu' ? [0] : deviceIds) {
      const report = await probe(device, deviceId);
      if (!report.works) throw new Error(missing(device, deviceId, report.message));
    }
    return { name: 'onnx', device, passedOver: [] };
  }
  return chooseAutomatically(deviceIds, probe);
}

async function chooseAutomatically(deviceIds: readonly number[], probe: Prober): Promise<Choice> {
  const [deviceId = 0] = deviceIds;
  const passedOver: { device: Device; reason: string }[] = [];
  const candidates = ['cuda', 'webgpu'] as const;
  // Side by side: where there is no GPU both fail in moments.
  const reports = await Promise.all(candidates.map((device) => probe(device, deviceId)));
  const cpu = reports.some(({ works }) => works) ? await probe('cpu', 0) : undefined;
  for (const [i, device] of candidates.entries()) {
    const report = reports[i] as ProbeReport;
    if (!report.works) passedOver.push({ device, reason: report.message });
    else if (cpu?.works && report.runMs >= cpu.runMs) {
      const times = `${report.runMs.toFixed(1)} ms against ${cpu.runMs.toFixed(1)} ms`;
      passedOver.push({ device, reason: `slower than the CPU: ${times}` });
    } else {
      for (const other of deviceIds.slice(1)) {
        const found = await probe(device, other);
        if (!found.works) throw new Error(missing(device, other, found.message));
      }
      return { name: 'onnx', device, passedOver };
    }
  }
  return { name: 'onnx', device: 'cpu', passedOver };
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

const missing = (device: OnnxDevice, deviceId: number, message: string) =>
  `INFERENCE_DEVICE asks for ${device} (device ${deviceId}), which does not work here (${message}): ${remedies[device]}, or set INFERENCE_DEVICE=auto`;

/** Long enough for a first start of CUDA, which loads a gigabyte of libraries. */
const probeTimeoutMs = 60_000;

/** Tries a device in a child process. */
export const probeDevice: Prober = (device, deviceId) =>
  new Promise((resolve) => {
    const script = join(packageRoot, 'dist', 'backends', 'probe-device.js');
    const options = { timeout: probeTimeoutMs, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, [script, device, String(deviceId)], options, (error, stdout) => {
      const line = stdout.trim().split('\n').at(-1) ?? '';
      if (line.startsWith('{')) resolve(JSON.parse(line));
      else resolve({ works: false, message: failure(error) });
    });
  });

function failure(error: (Error & { signal?: NodeJS.Signals | null; killed?: boolean }) | null): string {
  if (error?.killed) return `no answer within ${probeTimeoutMs / 1000} s`;
  if (error?.signal) return `the driver ended its process with ${error.signal}`;
  return error?.message ?? 'the probe printed nothing';
}
