/** Creates the backend that the main thread chose; only workers load a runtime. */
import type { Backend, BackendChoice } from './backend';
import type { OnnxDevice } from './device';
import { ThreadLock } from './thread-lock';

export async function createBackend({ name, device, deviceId, lockMemory }: BackendChoice): Promise<Backend> {
  // Load it on demand, because TFJS takes a second and a hundred megabytes.
  if (name === 'tfjs') {
    const { TfjsBackend } = require('./tfjs') as typeof import('./tfjs');
    return TfjsBackend.start(device as 'tensorflow' | 'wasm');
  }
  const { OnnxBackend } = require('./onnx') as typeof import('./onnx');
  return new OnnxBackend(device as OnnxDevice, deviceId, lockMemory && new ThreadLock(lockMemory));
}
