/** Makes the backend that main chose; runs in the worker, which alone loads a runtime. */
import type { Backend, BackendChoice, OnnxDevice } from './backend';
import { ThreadLock } from './thread-lock';

export async function createBackend({ name, device, deviceId, lockMemory }: BackendChoice): Promise<Backend> {
  // Required on demand: TFJS costs a second and a hundred megabytes that workers over ONNX Runtime need not spend.
  if (name === 'tfjs') {
    const { TfjsBackend } = require('./tfjs') as typeof import('./tfjs');
    return TfjsBackend.start(device as 'tensorflow' | 'wasm');
  }
  const { OnnxBackend } = require('./onnx') as typeof import('./onnx');
  return new OnnxBackend(device as OnnxDevice, deviceId, lockMemory && new ThreadLock(lockMemory));
}
