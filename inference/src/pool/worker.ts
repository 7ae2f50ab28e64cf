/** Worker thread: loads the models once, warms them, then answers one task at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Model } from '../backends/backend';
import { product } from '../backends/backend';
import { OnnxBackend } from '../backends/onnx';
import { ImageError } from '../pipeline/decode';
import { detectFaces } from '../pipeline/detect';
import type { Task, TaskResult, WorkerSetup, WorkerStarted } from './messages';

async function start(setup: WorkerSetup): Promise<(task: Task) => Promise<TaskResult>> {
  const begin = performance.now();
  const backend = new OnnxBackend();
  const detector = await backend.load(setup.models.detector);
  await warm(detector);
  const ready: WorkerStarted = { kind: 'ready', device: backend.device, loadMs: performance.now() - begin };
  parentPort?.postMessage(ready);
  return (task) => answer(detector, task);
}

/** The first run of a session allocates and plans; no request should wait for that. */
async function warm(model: Model): Promise<void> {
  const { width, height, channels } = model.spec.input;
  await model.run(new Uint8Array(product([height, width, channels])), 1);
}

async function answer(detector: Model, task: Task): Promise<TaskResult> {
  try {
    return { ok: true, detection: await detectFaces(detector, task.image) };
  } catch (error) {
    if (error instanceof ImageError) return { ok: false, fault: error.fault, values: error.values };
    throw error;
  }
}

export default start(workerData as WorkerSetup).catch((error: Error) => {
  const failed: WorkerStarted = { kind: 'failed', message: error.message };
  parentPort?.postMessage(failed);
  // Rejecting would make Piscina load this file a second time; the pool closes on the message above.
  return () => Promise.reject(error);
});
