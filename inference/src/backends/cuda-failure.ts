/**
 * Explains why no session could be created on CUDA. ONNX Runtime reports a missing file, a missing library and a
 * missing driver with the same words, and an outdated driver with a page of C++. The loader and the driver name the
 * cause.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import provider from './cuda-provider.json';
import { loadError } from './load-error';

export interface Explanation {
  /** The cause, without a period. */
  readonly message: string;
  /** The remedy, as the rest of a sentence. */
  readonly remedy: string;
}

/** The sources of an explanation. */
export interface CudaSystem {
  /** @returns the loader's error for a library, or undefined if it can be loaded */
  loadError(library: string): string | undefined;
  /** @returns the version of the NVIDIA driver, or undefined if none is loaded */
  driverVersion(): string | undefined;
}

const { cuda, cudnn, minimumDriver } = provider;
const driverLibrary = 'libcuda.so.1';
const installDriver = `install the NVIDIA driver ${minimumDriver} or later; a container needs NVIDIA's container runtime as well`;
const installLibraries = `install CUDA ${cuda} and cuDNN ${cudnn} where the loader finds them (ldconfig or LD_LIBRARY_PATH)`;

/**
 * @param reported ONNX Runtime's message, in one line
 * @param deviceId the requested GPU
 */
export function explainCudaFailure(
  reported: string,
  deviceId: number,
  system: CudaSystem = thisSystem,
): Explanation {
  const failure = /CUDA failure (\d+): (.*?) ;/.exec(reported);
  if (failure) {
    const [, code, text = ''] = failure;
    return explainCode({ code: Number(code), text, deviceId }, system);
  }
  for (const library of [...provider.files.map(providerFile), `libcudnn.so.${cudnn}`]) {
    const complaint = system.loadError(library);
    if (complaint !== undefined) return explainComplaint(complaint);
  }
  return { message: reported.slice(0, 200), remedy: 'see whether nvidia-smi lists the GPU' };
}

/** @returns why no session can be created on CUDA, if a file of the provider is missing; a probe would find the same */
export function explainMissingProvider(
  exists: (path: string) => boolean = existsSync,
): Explanation | undefined {
  const missing = provider.files.map(providerFile).find((path) => !exists(path));
  return missing === undefined ? undefined : explainMissingFile(missing);
}

/** Codes are those of cudaError_t in CUDA's driver_types.h. */
function explainCode(
  { code, text, deviceId }: { code: number; text: string; deviceId: number },
  { driverVersion }: CudaSystem,
): Explanation {
  const driver = `the NVIDIA driver ${driverVersion() ?? '(version unknown)'}`;
  if (code === 35) {
    return {
      message: `${driver} is too old for CUDA ${cuda}, which needs ${minimumDriver} or later`,
      remedy: 'update the driver of the machine',
    };
  }
  if (code === 100) {
    return {
      message: `${driver} finds no GPU`,
      remedy:
        'give the process a GPU (docker run --gpus, in Kubernetes a limit of nvidia.com/gpu) and see whether nvidia-smi lists it',
    };
  }
  if (code === 101) {
    return {
      message: `there is no GPU ${deviceId}`,
      remedy: 'set INFERENCE_DEVICE_IDS to numbers that nvidia-smi lists',
    };
  }
  return { message: `CUDA error ${code}: ${text}`, remedy: 'see whether nvidia-smi lists the GPU' };
}

function explainComplaint(complaint: string): Explanation {
  const library = /^(\S+): cannot open shared object file/.exec(complaint)?.[1];
  if (library === undefined) return { message: complaint, remedy: installLibraries };
  if (library === driverLibrary) {
    return { message: `the NVIDIA driver is missing (${driverLibrary})`, remedy: installDriver };
  }
  if (library.startsWith('/')) return explainMissingFile(library);
  return { message: `the library ${library} is missing`, remedy: installLibraries };
}

function explainMissingFile(path: string): Explanation {
  return {
    message: `onnxruntime-node has no CUDA provider (${path.split('/').at(-1)} is missing)`,
    remedy: `start with PRESENZA_CUDA=${cuda}, which downloads the provider, or build the image's gpu target`,
  };
}

/** Path of a file of the archive where onnxruntime-node looks for it. */
function providerFile(name: string): string {
  const folder = dirname(require.resolve('onnxruntime-node/package.json'));
  return join(folder, 'bin/napi-v6', process.platform, process.arch, name.split('/').at(-1) as string);
}

const thisSystem: CudaSystem = {
  loadError,
  driverVersion() {
    // The name of the mapped library file ends with the driver's version.
    const maps = readFileSync('/proc/self/maps', 'utf8');
    return /\/libcuda\.so\.(\d+\.\S+)$/m.exec(maps)?.[1];
  },
};
