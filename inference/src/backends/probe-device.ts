/**
 * Tries a device the way the service will use it: as many threads as there will be workers, each with a session of its
 * own. Runs as a child process with a `ProbeRequest` as its argument, because a broken driver can take its process
 * down, and prints a `ProbeReport` as one line of JSON.
 */

import { once } from 'node:events';
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { OnnxDevice } from './backend';
import { explainCudaFailure } from './cuda-failure';
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

/** What a thread reports: that it ran the model once, and, when told to, how fast it is beside the others. */
type ThreadMessage =
  | { readonly kind: 'ran'; readonly ms: number }
  | { readonly kind: 'timed'; readonly runs: number; readonly ms: number }
  | { readonly kind: 'failed'; readonly deviceId: number; readonly message: string };

type Failure = Extract<ThreadMessage, { kind: 'failed' }>;

/** What a thread does after its first run. */
type ThreadOrder = 'time' | 'end';

/** A first run that takes longer is a driver in software: there is no need to time it. A GPU compiles within 1 s. */
const slowMs = 2_000;
/** Time for which every thread runs the model, at least once. */
const timedMs = 150;

async function probe({ device, deviceIds, threads }: ProbeRequest): Promise<ProbeReport> {
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

/** @returns milliseconds per run of all threads together; of the slowest first run where they were not timed */
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
  const told = inOneLine(message);
  return {
    works: false,
    ...(device === 'cuda' ? explainCudaFailure(told, deviceId) : { message: told }),
  };
}

/** ONNX Runtime puts its source position and the failed check before what went wrong. */
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
  /** @returns how long the run took, without the wait for its turn */
  const run = () =>
    exclusively(async () => {
      const begin = performance.now();
      await session.run({ x: input });
      return performance.now() - begin;
    });
  tell({ kind: 'ran', ms: await run() });
  const [order] = (await ordered) as [ThreadOrder];
  if (order === 'time') {
    const begin = performance.now();
    let runs = 0;
    do {
      await run();
      runs += 1;
    } while (performance.now() - begin < timedMs);
    tell({ kind: 'timed', runs, ms: performance.now() - begin });
  }
  await exclusively(() => session.release());
}

const tell = (message: ThreadMessage) => parentPort?.postMessage(message);

if (isMainThread) {
  probe(JSON.parse(process.argv[2] ?? '')).then((report) => {
    process.stdout.write(`${JSON.stringify(report)}\n`);
  });
} else {
  const setup = workerData as ThreadSetup;
  runThread(setup).catch(({ message }: Error) => {
    tell({ kind: 'failed', deviceId: setup.deviceId, message });
  });
}
