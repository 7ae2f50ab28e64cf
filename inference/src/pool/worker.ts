/**
 * Worker thread: loads the models once and warms them, then runs items of any operation. Where workers share a device, one
 * thread of this kind loads the models and serves the others, which load none.
 */
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type Backend, type LoadedModel, product } from '../backends/backend';
import { createBackend } from '../backends/create';
import { RemoteStages, serveStages } from '../device/stage-port';
import { type StageRunner, Stages, type StageTask } from '../device/stages';
import { WorkerLostError } from '../device/worker-lost';
import type { DecodingBudget } from '../pipeline/image/decoding-budget';
import { nearPathStage } from '../pipeline/near-path/stage';
import { type ItemResult, type ManifestData, type Models, operations } from '../pipeline/operations';
import { AbandonedError, DeadlineError } from '../scheduling/errors';
import type { Ticket } from '../scheduling/scheduler';
import {
  busyMsOf,
  type WorkerResponse,
  type WorkerSetup,
  type WorkerStarted,
  type WorkerTask,
} from './messages';

type AnyOperation = (
  models: Models,
  item: unknown,
  manifestData: ManifestData,
  decoding: DecodingBudget,
) => Promise<ItemResult<unknown>>;

/**
 * Niceness added to the worker's thread, of 20 steps. Threads that accept connections, shed load and respond to probes
 * need little of a core but need it at once, so models yield to them where there are fewer cores than threads.
 */
const addedNiceness = 5;

function lowerPriority(): void {
  // Linux sets the priority of a thread, and 0 means the calling one; other systems set that of the process.
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
  const device = setup.device && (await openDevice(setup));
  let stages: StageRunner | undefined = device?.stages;
  const ready: WorkerStarted = { kind: 'ready', loadMs: performance.now() - begin };
  parentPort?.postMessage(ready);
  return async (task) => {
    switch (task.kind) {
      case 'run':
        return run(setup, stages, task);
      case 'connect':
        stages = new RemoteStages(task.port);
        break;
      case 'serve':
        serveStages(device?.stages as StageRunner, task.port);
        break;
      case 'close':
        await device?.close();
    }
    return { kind: 'nothing' };
  };
}

/** Loads and warms the models. */
async function openDevice(setup: WorkerSetup) {
  const { backend, stages: policy } = setup.device as NonNullable<WorkerSetup['device']>;
  const loaded = await loadModels(await createBackend(backend), setup);
  const stages = new Stages(loaded, policy);
  return {
    stages,
    async close() {
      await stages.idle();
      for (const model of Object.values(loaded)) await model.close();
    },
  };
}

async function loadModels(
  backend: Backend,
  { models: specs }: WorkerSetup,
): Promise<Record<string, LoadedModel>> {
  const models: Record<string, LoadedModel> = {};
  for (const [role, spec] of Object.entries(specs)) {
    const program = role === 'nearPath' ? await backend.loadProgram?.(spec.path) : undefined;
    models[role] = program ? nearPathStage(spec, program) : await backend.load(spec);
    await warm(models[role], backend.warmBatches);
  }
  return models;
}

/** The first run of a session allocates and plans, which no request should wait for. */
async function warm(model: LoadedModel, batches: readonly number[]): Promise<void> {
  const { width, height, channels } = model.spec.input;
  for (const batch of batches) {
    await model.run(new Uint8Array(product([batch, height, width, channels])), batch);
  }
}

async function run(
  { models, manifestData }: WorkerSetup,
  stages: StageRunner | undefined,
  { operation, item, ticket }: WorkerTask & { kind: 'run' },
): Promise<WorkerResponse> {
  const begin = performance.now();
  if (!stages) return { kind: 'lost' };
  const task = stages.begin(ticket);
  const decoding = new TaskDecoding(ticket);
  const calls: { first?: number } = {};
  try {
    const operate = operations[operation] as AnyOperation;
    const used = modelsOf(models, { task, decoding, calls });
    const result = await operate(used, item, manifestData, decoding);
    const end = performance.now();
    const decodeMs = (calls.first ?? end) - begin;
    const { priceMs } = decoding;
    return { kind: 'done', result, timings: { serviceMs: end - begin, decodeMs, priceMs, models: task.use } };
  } catch (error) {
    const busyMs = busyMsOf(task.use);
    if (error instanceof DeadlineError) return { kind: 'expired', busyMs };
    if (error instanceof AbandonedError) return { kind: 'abandoned', busyMs };
    if (error instanceof WorkerLostError) return { kind: 'lost' };
    throw error;
  } finally {
    task.end();
  }
}

/** The decoding of the images of one item, until its deadline or until its caller disconnects. */
class TaskDecoding implements DecodingBudget {
  priceMs = 0;
  private readonly end: number;
  private readonly abandoned: Int32Array;

  constructor({ deadlineMs, abandoned = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) }: Ticket) {
    this.end = performance.now() + deadlineMs;
    this.abandoned = new Int32Array(abandoned);
  }

  leftMs(): number {
    return this.isAbandoned ? 0 : this.end - performance.now();
  }

  check(): void {
    if (this.isAbandoned) throw new AbandonedError();
    if (this.leftMs() <= 0) throw new DeadlineError();
  }

  spend(ms: number): void {
    this.priceMs += ms;
  }

  private get isAbandoned(): boolean {
    return Atomics.load(this.abandoned, 0) !== 0;
  }
}

interface TaskUse {
  readonly task: StageTask;
  readonly decoding: Pick<DecodingBudget, 'check'>;
  /** Receives the moment of the first call. */
  readonly calls: { first?: number };
}

/** The models as one task uses them, as long as somebody waits for its result. */
function modelsOf(specs: WorkerSetup['models'], { task, decoding, calls }: TaskUse): Models {
  const models = Object.entries(specs).map(([role, spec]) => [
    role,
    {
      spec,
      async run(pixels: Uint8Array, items: number) {
        decoding.check();
        calls.first ??= performance.now();
        return task.run(role, pixels, items);
      },
    },
  ]);
  return Object.fromEntries(models);
}

export default start(workerData as WorkerSetup).catch((error: Error) => {
  const failed: WorkerStarted = { kind: 'failed', message: error.message };
  parentPort?.postMessage(failed);
  // Rejecting would make Piscina load this file a second time; the pool closes on the message above.
  return () => Promise.reject(error);
});
