/**
 * Probes a device the way the service will use it: one thread per worker, each with its own session. Runs as a child
 * process with a `ProbeRequest` as its argument, because a broken driver can crash its process, and prints a
 * `ProbeReport` as one line of JSON.
 */
import { once } from 'node:events';
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { explainCudaFailure } from './cuda-failure';
import type { OnnxDevice } from './device';
import { loadError } from './load-error';
import { sessionOptions } from './onnx';
import { probeInput, probeModel, probeShape } from './probe-model';
import { exclusivelyBy, lockMemoryFor, ThreadLock } from './thread-lock';

export interface ProbeRequest {
  readonly device: OnnxDevice;
  /** The threads take these in turn. */
  readonly deviceIds: readonly number[];
  readonly threads: number;
}

export type ProbeReport =
  /** `runMs`: milliseconds per run while all threads run at once. */
  | { readonly works: true; readonly runMs: number }
  /** `message` and `remedy`: the cause and what to do about it, without a period. */
  | { readonly works: false; readonly message: string; readonly remedy?: string };

interface ThreadSetup {
  readonly device: OnnxDevice;
  readonly deviceId: number;
  readonly lockMemory: SharedArrayBuffer | undefined;
}

/** A thread reports its first run and, after the order `time`, its speed while the other threads run too. */
type ThreadMessage =
  | { readonly kind: 'ran'; readonly ms: number }
  | { readonly kind: 'timed'; readonly runs: number; readonly ms: number }
  | { readonly kind: 'failed'; readonly deviceId: number; readonly message: string };

type Failure = Extract<ThreadMessage, { kind: 'failed' }>;

/** Sent to each thread after its first run. */
type ThreadOrder = 'time' | 'end';

/** A longer first run comes from a driver in software and is not timed. A GPU compiles within 1 s. */
const slowMs = 2_000;
/** How long every thread runs the model, at least once. */
const timedMs = 150;

/** On Linux, ONNX Runtime's WebGPU computes on Vulkan alone. */
const vulkan = 'libvulkan.so.1';

async function probe({ device, deviceIds, threads }: ProbeRequest): Promise<ProbeReport> {
  // Most machines without a GPU have no Vulkan. The threads would find the same, after a fifth of a second of CPU time.
  if (device === 'webgpu' && process.platform === 'linux' && loadError(vulkan) !== undefined)
    return { works: false, message: `Vulkan is not installed (${vulkan} is missing)` };
  const lockMemory = lockMemoryFor(device);
  const workers = Array.from({ length: threads }, (_, i) => {
    const setup: ThreadSetup = { device, deviceId: deviceIds[i % deviceIds.length] ?? 0, lockMemory };
    return new Worker(__filename, { workerData: setup });
  });
  const order = (what: ThreadOrder) => {
    for (const worker of workers) worker.postMessage(what);
  };
  const messages = await Promise.all(workers.map(nextMessage));
  const isSlow = messages.some((message) => message.kind === 'ran' && message.ms > slowMs);
  if (isSlow || messages.some(isFailure)) order('end');
  else {
    const timed = Promise.all(workers.map(nextMessage));
    order('time');
    messages.push(...(await timed));
  }
  const failed = messages.find(isFailure);
  return failed ? failure(device, failed) : { works: true, runMs: runMsOf(messages) };
}

const isFailure = (message: ThreadMessage): message is Failure => message.kind === 'failed';

/** @returns milliseconds per run of all threads together, or of the slowest first run if they were not timed */
function runMsOf(messages: readonly ThreadMessage[]): number {
  const runsPerMs = messages.flatMap((message) =>
    message.kind === 'timed' ? message.runs / message.ms : [],
  );
  if (runsPerMs.length > 0) return 1 / runsPerMs.reduce((a, b) => a + b);
  return Math.max(...messages.map((message) => (message.kind === 'ran' ? message.ms : 0)));
}

async function nextMessage(worker: Worker): Promise<ThreadMessage> {
  const [message] = (await once(worker, 'message')) as [ThreadMessage];
  return message;
}

function failure(device: OnnxDevice, { deviceId, message }: Failure): ProbeReport {
  const reported = inOneLine(message);
  return {
    works: false,
    ...(device === 'cuda' ? explainCudaFailure(reported, deviceId) : { message: reported }),
  };
}

/** Removes the source position and the failed check that ONNX Runtime puts before its message. */
const inOneLine = (message: string) =>
  message
    .replace(/^.* was false\. /s, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

async function runThread({ device, deviceId, lockMemory }: ThreadSetup): Promise<void> {
  const ordered = once(parentPort as MessagePort, 'message');
  const exclusively = exclusivelyBy(lockMemory && new ThreadLock(lockMemory));
  const session = await exclusively(() =>
    InferenceSession.create(probeModel(), sessionOptions(device, deviceId)),
  );
  const input = new Tensor('float32', probeInput(), probeShape);
  /** @returns the duration of the run, without the wait for the lock */
  const run = () =>
    exclusively(async () => {
      const begin = performance.now();
      await session.run({ x: input });
      return performance.now() - begin;
    });
  report({ kind: 'ran', ms: await run() });
  const [order] = (await ordered) as [ThreadOrder];
  if (order === 'time') {
    const begin = performance.now();
    let runs = 0;
    do {
      await run();
      runs += 1;
    } while (performance.now() - begin < timedMs);
    report({ kind: 'timed', runs, ms: performance.now() - begin });
  }
  await exclusively(() => session.release());
}

const report = (message: ThreadMessage) => parentPort?.postMessage(message);

if (isMainThread) {
  void probe(JSON.parse(process.argv[2] ?? '')).then((result) => {
    process.stdout.write(`${JSON.stringify(result)}\n`);
  });
} else {
  const setup = workerData as ThreadSetup;
  runThread(setup).catch(({ message }: Error) => {
    report({ kind: 'failed', deviceId: setup.deviceId, message });
  });
}
