/** Every message between the main thread and its workers. */
import type { MessagePort } from 'node:worker_threads';
import type { BackendChoice } from '../backends/backend';
import type { StagePolicy, StageUse } from '../device/stages';
import type { ItemResult, OperationInput, OperationName } from '../pipeline/operations';
import type { Ticket } from '../scheduling/scheduler';
import type { ServingModels } from '../serving/serving-models';

/** Starts a worker. */
export interface WorkerSetup extends ServingModels {
  /** The device on which the worker runs the models. Undefined if a thread of the device does that for several workers. */
  readonly device?: { readonly backend: BackendChoice; readonly stages: StagePolicy };
}

/** Sent once by each worker: its models are loaded and warm, or could not be loaded. */
export type WorkerStarted =
  | { readonly kind: 'ready'; readonly loadMs: number }
  | { readonly kind: 'failed'; readonly message: string };

export type WorkerTask =
  | {
      readonly kind: 'run';
      readonly operation: OperationName;
      readonly item: OperationInput<OperationName>;
      readonly ticket: Ticket;
    }
  /** Connects a worker without models to the thread of its device; the other end of the port goes to `serve`. */
  | { readonly kind: 'connect'; readonly port: MessagePort }
  | { readonly kind: 'serve'; readonly port: MessagePort }
  /** The last task of a worker before it stops: waits for the tasks that use its models, and frees them. */
  | { readonly kind: 'close' }
  /** Does nothing, but makes Piscina start a thread. */
  | { readonly kind: 'wake' };

/** Errors do not keep their class on the way between threads. */
export type WorkerResponse =
  | { readonly kind: 'done'; readonly result: ItemResult<unknown>; readonly timings: WorkerTimings }
  | { readonly kind: 'expired' | 'abandoned'; readonly busyMs: number }
  | { readonly kind: 'lost' }
  | { readonly kind: 'nothing' };

/** Milliseconds inside the worker. */
export interface WorkerTimings {
  readonly serviceMs: number;
  /** Time until the first model was called: decoding and shrinking. The whole time if none was called. */
  readonly decodeMs: number;
  /** The price of the images that were decoded, which does not depend on the load: as `Decoding.spend` counts it. */
  readonly priceMs: number;
  /** Time of each model, by its role. */
  readonly models: Readonly<Record<string, StageUse>>;
}

/** Milliseconds in all models. */
export const busyMsOf = (models: WorkerTimings['models']): number =>
  Object.values(models).reduce((sum, { ms }) => sum + ms, 0);
