/** Worker thread: loads the models once, warms them, then answers batches of any operation. */
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type Backend, type Model, product } from '../backends/backend';
import { createBackend } from '../backends/create';
import { type Knowledge, type Models, operations } from '../pipeline/operations';
import type { WorkerAnswer, WorkerSetup, WorkerStarted, WorkerTask } from './messages';
import { type ModelTimes, timedModels } from './timed-models';

type Run = (
  models: Models,
  items: readonly unknown[],
  knowledge: Knowledge,
) => Promise<WorkerAnswer['results']>;

/**
 * Of 20 steps below that of the process. Threads that take connections, shed load and answer probes need little of a
 * core, but they need it at once: where there are fewer cores than threads, models give way to them.
 */
const giveWayBy = 5;

function giveWay(): void {
  // On Linux priorities are those of threads, and 0 is the one that asks; elsewhere they are the process's.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + giveWayBy));
  } catch {
    // A sandbox may forbid it. The work is the same, at the priority of all other threads.
  }
}

async function start(setup: WorkerSetup): Promise<(task: WorkerTask) => Promise<WorkerAnswer>> {
  giveWay();
  const begin = performance.now();
  const models = await loadModels(await createBackend(setup.backend), setup.models);
  const ready: WorkerStarted = { kind: 'ready', loadMs: performance.now() - begin };
  parentPort?.postMessage(ready);
  return async (task) => {
    if (task.kind === 'run') return answer(models, setup.knowledge, task);
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

/** The first run of a session allocates and plans; no request should wait for that. */
async function warm(model: Model, batches: readonly number[]): Promise<void> {
  const { width, height, channels } = model.spec.input;
  for (const batch of batches) {
    await model.run(new Uint8Array(product([batch, height, width, channels])), batch);
  }
}

async function answer(
  models: Models,
  knowledge: Knowledge,
  { operation, items }: WorkerTask & { kind: 'run' },
): Promise<WorkerAnswer> {
  const begin = performance.now();
  const times: ModelTimes = { modelMs: {} };
  const results = await (operations[operation] as Run)(timedModels(models, times), items, knowledge);
  const end = performance.now();
  const decodeMs = (times.firstRun ?? end) - begin;
  return { results, timings: { serviceMs: end - begin, decodeMs, modelMs: times.modelMs } };
}

async function close(models: Models): Promise<void> {
  for (const model of Object.values(models)) await model.close();
}

const nothing: WorkerAnswer = { results: [], timings: { serviceMs: 0, decodeMs: 0, modelMs: {} } };

export default start(workerData as WorkerSetup).catch((error: Error) => {
  const failed: WorkerStarted = { kind: 'failed', message: error.message };
  parentPort?.postMessage(failed);
  // Rejecting would make Piscina load this file a second time; the pool closes on the message above.
  return () => Promise.reject(error);
});
