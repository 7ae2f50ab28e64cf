/**
 * Runs the stages of a device for workers in other threads, over message ports. Pixels and outputs are transferred, not
 * copied. A port closes when the thread at its other end dies.
 */
import type { MessagePort } from 'node:worker_threads';
import type { ModelOutputs } from '../backends/backend';
import { DeadlineError } from '../scheduling/errors';
import type { Ticket } from '../scheduling/scheduler';
import type { StageRunner, StageTask, StageUse } from './stages';
import { buffersOf, transferable } from './transfer';
import { WorkerLostError } from './worker-lost';

type Request =
  | { readonly kind: 'begin'; readonly task: number; readonly ticket: Ticket }
  | {
      readonly kind: 'run';
      readonly task: number;
      readonly call: number;
      readonly stage: string;
      readonly pixels: Uint8Array;
      readonly items: number;
    }
  | { readonly kind: 'end'; readonly task: number };

type Reply = { readonly call: number } & (
  | {
      readonly kind: 'outputs';
      readonly outputs: ModelOutputs;
      readonly use: Readonly<Record<string, StageUse>>;
    }
  | { readonly kind: 'expired' }
  | { readonly kind: 'failed'; readonly message: string }
);

/** Serves one worker until its port closes; tasks that it leaves behind end then. */
export function serveStages(stages: StageRunner, port: MessagePort): void {
  const tasks = new Map<number, StageTask>();
  const handle = (request: Request) => {
    const task = tasks.get(request.task);
    if (request.kind === 'begin') tasks.set(request.task, stages.begin(request.ticket));
    else if (request.kind === 'end') {
      task?.end();
      tasks.delete(request.task);
    } else if (task) {
      void serve(task, request).then((reply) => port.postMessage(reply, buffersOf(reply)));
    }
  };
  port.on('message', handle);
  port.on('close', () => {
    for (const task of tasks.values()) task.end();
  });
}

async function serve(
  task: StageTask,
  { call, stage, pixels, items }: Request & { kind: 'run' },
): Promise<Reply> {
  try {
    const outputs = await task.run(stage, pixels, items);
    // Calls of one run share a buffer, and only a whole buffer can be transferred.
    const entries = Object.entries(outputs).map(([name, values]) => [name, transferable(values)]);
    return { kind: 'outputs', call, outputs: Object.fromEntries(entries), use: task.use };
  } catch (error) {
    if (error instanceof DeadlineError) return { kind: 'expired', call };
    return { kind: 'failed', call, message: (error as Error).message };
  }
}

interface Pending {
  readonly use: Record<string, StageUse>;
  resolve(outputs: ModelOutputs): void;
  reject(error: Error): void;
}

/** The stages of a device in another thread. */
export class RemoteStages implements StageRunner {
  private readonly pending = new Map<number, Pending>();
  private tasks = 0;
  private calls = 0;
  private closed = false;

  constructor(private readonly port: MessagePort) {
    port.on('message', (reply: Reply) => this.settle(reply));
    port.on('close', () => this.lose());
  }

  begin(ticket: Ticket): StageTask {
    const task = this.tasks++;
    this.post({ kind: 'begin', task, ticket });
    const use: Record<string, StageUse> = {};
    return {
      use,
      run: (stage, pixels, items) => this.run({ task, stage, pixels, items }, use),
      end: () => this.post({ kind: 'end', task }),
    };
  }

  private run(
    { pixels, ...request }: Omit<Request & { kind: 'run' }, 'kind' | 'call'>,
    use: Record<string, StageUse>,
  ): Promise<ModelOutputs> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new WorkerLostError(undefined));
      const call = this.calls++;
      this.pending.set(call, { use, resolve, reject });
      this.post({ kind: 'run', call, pixels: transferable(pixels), ...request });
    });
  }

  private post(request: Request): void {
    this.port.postMessage(request, buffersOf(request));
  }

  private settle(reply: Reply): void {
    const pending = this.pending.get(reply.call);
    if (!pending) return;
    this.pending.delete(reply.call);
    if (reply.kind === 'expired') pending.reject(new DeadlineError());
    else if (reply.kind === 'failed') pending.reject(new Error(reply.message));
    else {
      Object.assign(pending.use, reply.use);
      pending.resolve(reply.outputs);
    }
  }

  private lose(): void {
    this.closed = true;
    for (const { reject } of this.pending.values()) reject(new WorkerLostError(undefined));
    this.pending.clear();
  }
}
