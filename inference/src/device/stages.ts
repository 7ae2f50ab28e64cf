/**
 * Runs the models of one device. Every model is a stage with waiting calls of all tasks; a call is a number of items
 * (images, faces), of which a run takes as many as suit the device. So one run gathers items of several tasks, stragglers
 * join the next one, and a call with hundreds of items does not keep the others waiting. Accounts share the device
 * fairly; within an account, older tasks go first. Calls of a task whose deadline passed are dropped.
 */
import type { Model, ModelOutputs } from '../backends/backend';
import { type Clock, systemClock } from '../scheduling/clock';
import { DeadlineError } from '../scheduling/errors';
import type { Ticket } from '../scheduling/scheduler';
import { FairShares } from '../scheduling/shares';

export interface StagePolicy {
  /** Most items of a run. */
  readonly maxBatch: number;
  /**
   * How long a run should take at most, in milliseconds; one item may take longer. For devices that run several items no
   * faster together than one by one.
   */
  readonly sliceMs: number;
  /**
   * How long an incomplete run may wait, in milliseconds, for the tasks that were computing something else when its first
   * item arrived. For devices that run many items nearly as fast as one. 0: not at all.
   */
  readonly gatherMs: number;
}

/** The part of a stage that a task used. Its part of a run is its part of the run's items. */
export interface StageUse {
  ms: number;
  items: number;
  /** A sum of parts of runs, so that the sum over all tasks is the number of runs. */
  runs: number;
}

/** The models as one task uses them. */
export interface StageTask {
  /** @throws DeadlineError, or the error of the run */
  run(stage: string, pixels: Uint8Array, items: number): Promise<ModelOutputs>;
  /** Call it when the task has ended: others no longer wait for its items, and calls that still wait are rejected. */
  end(): void;
  readonly use: Readonly<Record<string, StageUse>>;
}

/** Runs models for tasks: `Stages`, or their handle in another thread. */
export interface StageRunner {
  begin(ticket: Ticket): StageTask;
}

/** A task under way. */
interface Task {
  /** Tasks are numbered in their order. */
  readonly number: number;
  readonly account: string;
  readonly deadline: number;
  readonly use: Record<string, StageUse>;
  /** Calls without a result yet. */
  waiting: number;
  /** The event at which the task last began to compute outside the models. */
  computingSince: number;
}

interface Call {
  readonly task: Task;
  readonly stage: string;
  readonly pixels: Uint8Array;
  readonly items: number;
  readonly arrived: number;
  /** The event of its arrival. */
  readonly event: number;
  /** Items that were given to a run. */
  taken: number;
  /** Items that have results. */
  done: number;
  outputs: Record<string, Float32Array>;
  resolve(outputs: ModelOutputs): void;
  reject(error: Error): void;
}

/** Items of a call in a run. */
interface Part {
  readonly call: Call;
  readonly start: number;
  readonly count: number;
}

/** Weight of the last run in the mean duration of an item. */
const smoothing = 0.1;

export class Stages implements StageRunner {
  private readonly tasks = new Set<Task>();
  /** Calls with items that wait, oldest first. */
  private readonly calls = new Set<Call>();
  private readonly shares = new FairShares();
  private readonly itemMs = new Map<string, number>();
  private readonly clock: Clock;
  private begun = 0;
  private events = 0;
  private working = false;
  private cancelTimer = () => {};
  private whenIdle = () => {};

  constructor(
    private readonly models: Readonly<Record<string, Pick<Model, 'run'>>>,
    private readonly policy: StagePolicy,
    clock: Clock = systemClock,
  ) {
    this.clock = clock;
  }

  begin({ account, deadlineMs }: Ticket): StageTask {
    const task: Task = {
      number: this.begun++,
      account,
      deadline: this.clock.now() + deadlineMs,
      use: {},
      waiting: 0,
      computingSince: this.events++,
    };
    this.tasks.add(task);
    return {
      use: task.use,
      run: (stage, pixels, items) => this.call(task, stage, pixels, items),
      end: () => {
        this.tasks.delete(task);
        this.drop(new Error('The task has ended'), (call) => call.task === task);
        if (this.tasks.size === 0) this.whenIdle();
        this.wake();
      },
    };
  }

  /** Waits until no task is under way. */
  async idle(): Promise<void> {
    if (this.tasks.size > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
  }

  private call(task: Task, stage: string, pixels: Uint8Array, items: number): Promise<ModelOutputs> {
    return new Promise((resolve, reject) => {
      task.waiting += 1;
      this.calls.add({
        task,
        stage,
        pixels,
        items,
        arrived: this.clock.now(),
        event: this.events++,
        taken: 0,
        done: 0,
        outputs: {},
        resolve: (outputs) => {
          this.continues(task);
          resolve(outputs);
        },
        reject: (error) => {
          this.continues(task);
          reject(error);
        },
      });
      this.wake();
    });
  }

  private continues(task: Task): void {
    task.waiting -= 1;
    task.computingSince = this.events++;
  }

  private wake(): void {
    if (!this.working) void this.work();
  }

  /** Runs batches until nothing is ready. */
  private async work(): Promise<void> {
    this.working = true;
    this.cancelTimer();
    // Wait a turn of the event loop first: calls of one moment go into one run, and results may lead to further ones.
    for (await turn(); ; await turn()) {
      this.dropExpired();
      const parts = this.next();
      if (parts.length === 0) break;
      await this.runBatch(parts);
    }
    this.working = false;
    this.setTimer();
  }

  private dropExpired(): void {
    const now = this.clock.now();
    this.drop(new DeadlineError(), ({ task }) => task.deadline <= now);
  }

  private drop(error: Error, matches: (call: Call) => boolean): void {
    for (const call of this.calls) {
      if (!matches(call)) continue;
      this.calls.delete(call);
      call.reject(error);
    }
  }

  /** The parts of the next run: of the account that has used least, then of all others that wait for the same stage. */
  private next(): Part[] {
    const waiting = new Set([...this.calls].map(({ stage }) => stage));
    const stages = new Set([...waiting].filter((stage) => this.isReady(stage)));
    const ready = [...this.calls].filter(({ stage }) => stages.has(stage));
    if (ready.length === 0) return [];
    const account = this.shares.next(new Set(ready.map(({ task }) => task.account)));
    ready.sort(
      (a, b) =>
        Number(b.task.account === account) - Number(a.task.account === account) ||
        this.shares.usedBy(a.task.account) - this.shares.usedBy(b.task.account) ||
        a.task.number - b.task.number ||
        a.event - b.event,
    );
    const { stage } = ready[0] as Call;
    let room = this.roomFor(stage);
    const parts: Part[] = [];
    for (const call of ready) {
      if (call.stage !== stage || room === 0) continue;
      const count = Math.min(room, call.items - call.taken);
      parts.push({ call, start: call.taken, count });
      call.taken += count;
      room -= count;
      if (call.taken === call.items) this.calls.delete(call);
    }
    return parts;
  }

  private roomFor(stage: string): number {
    const { maxBatch, sliceMs } = this.policy;
    const itemMs = this.itemMs.get(stage);
    return itemMs === undefined ? maxBatch : Math.max(1, Math.min(maxBatch, Math.floor(sliceMs / itemMs)));
  }

  private isReady(stage: string): boolean {
    const { gatherMs, maxBatch } = this.policy;
    if (gatherMs === 0) return true;
    const calls = [...this.calls].filter((call) => call.stage === stage);
    if (calls.reduce((sum, { items, taken }) => sum + items - taken, 0) >= maxBatch) return true;
    const [oldest] = calls as [Call];
    if (this.clock.now() - oldest.arrived >= gatherMs) return true;
    for (const { waiting, computingSince } of this.tasks) {
      if (waiting === 0 && computingSince < oldest.event) return false;
    }
    return true;
  }

  /** Sets a timer for the call whose wait for others ends first. */
  private setTimer(): void {
    const [oldest] = this.calls;
    if (!oldest) return;
    const leftMs = oldest.arrived + this.policy.gatherMs - this.clock.now();
    this.cancelTimer = this.clock.setTimer(() => this.wake(), Math.max(0, leftMs));
  }

  private async runBatch(parts: readonly Part[]): Promise<void> {
    const { stage } = (parts[0] as Part).call;
    const items = parts.reduce((sum, { count }) => sum + count, 0);
    const begin = this.clock.now();
    try {
      const outputs = await (this.models[stage] as Model).run(joinedPixels(parts), items);
      this.account(stage, parts, items, this.clock.now() - begin);
      let at = 0;
      for (const part of parts) {
        deliver(part, outputs, at, items);
        at += part.count;
      }
    } catch (error) {
      for (const { call } of parts) {
        this.calls.delete(call);
        call.reject(error as Error);
      }
    }
  }

  private account(stage: string, parts: readonly Part[], items: number, ms: number): void {
    const mean = this.itemMs.get(stage) ?? ms / items;
    this.itemMs.set(stage, mean + smoothing * (ms / items - mean));
    for (const { call, count } of parts) {
      const { task } = call;
      const share = count / items;
      task.use[stage] ??= { ms: 0, items: 0, runs: 0 };
      const use = task.use[stage];
      use.ms += share * ms;
      use.items += count;
      use.runs += share;
      this.shares.charge(task.account, share * ms);
    }
  }
}

/** Lets tasks handle their results and new messages arrive. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function joinedPixels(parts: readonly Part[]): Uint8Array {
  const pieces = parts.map(({ call, start, count }) => {
    const item = call.pixels.length / call.items;
    return call.pixels.subarray(start * item, (start + count) * item);
  });
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
}

/** Hands a part its results: `count` of the run's `items`, from `at` on. */
function deliver({ call, start, count }: Part, outputs: ModelOutputs, at: number, items: number): void {
  const whole = count === call.items;
  for (const [name, values] of Object.entries(outputs)) {
    const item = values.length / items;
    const part = values.subarray(at * item, (at + count) * item);
    if (whole) call.outputs[name] = part;
    else {
      call.outputs[name] ??= new Float32Array(call.items * item);
      call.outputs[name].set(part, start * item);
    }
  }
  call.done += count;
  if (call.done === call.items) call.resolve(call.outputs);
}
