import { type CudaSystem, explainCudaFailure, explainMissingProvider } from './cuda-failure';
import provider from './cuda-provider.json';

/** ONNX Runtime 1.30's message for every library that it cannot load. */
const notLoaded = 'OrtSessionOptionsAppendExecutionProvider_Cuda: Failed to load shared library';
/** Its message for an error that CUDA returns, as the probe reports it. */
const cudaError = (code: number, text: string) =>
  `CUDA failure ${code}: ${text} ; GPU=-1 ; hostname=node-7 ; file=/build/cuda_execution_provider.cc ; line=352 ; expr=cudaSetDevice(info_.device_id);`;

/** A machine by the loader's complaints, each about the library whose name ends with the key. */
const system = (complaints: Record<string, string>, version?: string): CudaSystem => ({
  loadError: (library) => Object.entries(complaints).find(([ending]) => library.endsWith(ending))?.[1],
  driverVersion: () => version,
});
const cannotOpen = (library: string) =>
  `${library}: cannot open shared object file: No such file or directory`;

const cases: [string, string, CudaSystem, string, RegExp][] = [
  [
    'the provider is not installed',
    notLoaded,
    system({ 'providers_shared.so': cannotOpen('/app/node_modules/libonnxruntime_providers_shared.so') }),
    'onnxruntime-node has no CUDA provider (libonnxruntime_providers_shared.so is missing)',
    /^start with PRESENZA_CUDA=13/,
  ],
  [
    'a CUDA library is missing',
    notLoaded,
    system({ 'providers_cuda.so': cannotOpen('libcublasLt.so.13') }),
    'the library libcublasLt.so.13 is missing',
    /^install CUDA 13 and cuDNN 9/,
  ],
  [
    'cuDNN is missing',
    notLoaded,
    system({ 'libcudnn.so.9': cannotOpen('libcudnn.so.9') }),
    'the library libcudnn.so.9 is missing',
    /^install CUDA 13 and cuDNN 9/,
  ],
  [
    'the driver is missing',
    notLoaded,
    system({ 'providers_cuda.so': cannotOpen('libcuda.so.1') }),
    'the NVIDIA driver is missing (libcuda.so.1)',
    /^install the NVIDIA driver 580/,
  ],
  [
    'the driver is too old',
    cudaError(35, 'CUDA driver version is insufficient for CUDA runtime version'),
    system({}, '535.261.03'),
    `the NVIDIA driver 535.261.03 is too old for CUDA 13, which needs ${provider.minimumDriver} or later`,
    /^update the driver/,
  ],
  [
    'the driver finds no GPU',
    cudaError(100, 'no CUDA-capable device is detected'),
    system({}, '580.65.06'),
    'the NVIDIA driver 580.65.06 finds no GPU',
    /^give the process a GPU/,
  ],
  [
    'the number of the GPU is too high',
    cudaError(101, 'invalid device ordinal'),
    system({}, '580.65.06'),
    'there is no GPU 3',
    /^set INFERENCE_DEVICE_IDS/,
  ],
  [
    'CUDA reports another error, without the name of the host',
    cudaError(46, 'all CUDA-capable devices are busy or unavailable'),
    system({}, '580.65.06'),
    'CUDA error 46: all CUDA-capable devices are busy or unavailable',
    /nvidia-smi/,
  ],
];

test.each(cases)('%s', (_title, reported, machine, message, remedy) => {
  expect(explainCudaFailure(reported, 3, machine)).toEqual({
    message,
    remedy: expect.stringMatching(remedy),
  });
});

test('a missing file of the provider is explained without a probe', () => {
  expect(explainMissingProvider(() => true)).toBeUndefined();
  expect(explainMissingProvider((path) => !path.endsWith('/libonnxruntime_providers_cuda.so'))).toEqual({
    message: 'onnxruntime-node has no CUDA provider (libonnxruntime_providers_cuda.so is missing)',
    remedy: expect.stringMatching(/^start with PRESENZA_CUDA=13/),
  });
});
