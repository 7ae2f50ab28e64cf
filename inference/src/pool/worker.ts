/** Worker thread: loads the models once, warms them, then runs batches of any operation. */
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type Backend, type Model, product } from '../backends/backend';
import { createBackend } from '../backends/create';
import { type Knowledge, type Models, operations } from '../pipeline/operations';
import type { WorkerResponse, WorkerSetup, WorkerStarted, WorkerTask } from './messages';
import { type ModelTimes, timedModels } from './timed-models';

type AnyOperation = (
  models: Models,
  items: readonly unknown[],
  knowledge: Knowledge,
) => Promise<WorkerResponse['results']>;

/**
 * Niceness added to the worker's thread, of 20 steps. Threads that accept connections, shed load and respond to probes
 * need little of a core but need it at once, so models yield to them where there are fewer cores than threads.
 */
const addedNiceness = 5;

function lowerPriority(): void {
  // On Linux a priority belongs to a thread, and 0 means the calling one; elsewhere it belongs to the process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + addedNiceness));
  } catch {
    // A sandbox may forbid it; the worker then runs at the priority of the other threads.
  }
}

async function start(setup: WorkerSetup): Promise<(task: WorkerTask) => Promise<WorkerResponse>> {
  lowerPriority();
  const begin = performance.now();
  const models = await loadModels(await createBackend(setup.backend), setup.models);
  const ready: WorkerStarted = { kind: 'ready', loadMs: performance.now() - begin };
  parentPort?.postMessage(ready);
  return async (task) => {
    if (task.kind === 'run') return run(models, setup.knowledge, task);
    if (task.kind === 'close') await close(models);
    return nothing;
  };
}

async function loadModels(backend: Backend, specs: WorkerSetup['models']): Promise<Models> {
  const models: [string, Model][] = [];
  for (const [role, spec] of Object.entries(specs)) {
    const model = await backend.load(spec);
    await warm(model, backend.warmBatches);
    models.push([role, model]);
  }
  return Object.fromEntries(models) as unknown as Models;
}

/** The first run of a session allocates and plans, which no request should wait for. */
async function warm(model: Model, batches: readonly number[]): Promise<void> {
  const { width, height, channels } = model.spec.input;
  for (const batch of batches) {
    await model.run(new Uint8Array(product([batch, height, width, channels])), batch);
  }
}

async function run(
  models: Models,
  knowledge: Knowledge,
  { operation, items }: WorkerTask & { kind: 'run' },
): Promise<WorkerResponse> {
  const begin = performance.now();
  const times: ModelTimes = { modelMs: {} };
  const results = await (operations[operation] as AnyOperation)(timedModels(models, times), items, knowledge);
  const end = performance.now();
  const decodeMs = (times.firstRun ?? end) - begin;
  return { results, timings: { serviceMs: end - begin, decodeMs, modelMs: times.modelMs } };
}

async function close(models: Models): Promise<void> {
  for (const model of Object.values(models)) await model.close();
}

const nothing: WorkerResponse = { results: [], timings: { serviceMs: 0, decodeMs: 0, modelMs: {} } };

export default start(workerData as WorkerSetup).catch((error: Error) => {
  const failed: WorkerStarted = { kind: 'failed', message: error.message };
  parentPort?.postMessage(failed);
  // Rejecting would make Piscina load this file a second time; the pool closes on the message above.
  return () => Promise.reject(error);
});
