/** Every message between the main thread and its workers. */
import type { BackendChoice } from '../backends/backend';
import type { ItemResult, OperationInput, OperationName, OperationOutput } from '../pipeline/operations';
import type { ServingModels } from '../serving/serving-models';

/** Starts a worker. */
export interface WorkerSetup extends ServingModels {
  readonly backend: BackendChoice;
}

/** Input and output of one item, by operation. The input's bytes are transferred to the worker, not copied. */
export type OperationShapes = {
  readonly [Name in OperationName]: {
    readonly input: OperationInput<Name>;
    readonly output: ItemResult<OperationOutput<Name>>;
  };
};

/** Sent once by each worker: its models are loaded and warm, or could not be loaded. */
export type WorkerStarted =
  | { readonly kind: 'ready'; readonly loadMs: number }
  | { readonly kind: 'failed'; readonly message: string };

export type WorkerTask =
  | {
      readonly kind: 'run';
      readonly operation: OperationName;
      readonly items: readonly OperationInput<OperationName>[];
    }
  /** The last task of a worker before it stops: frees its models. */
  | { readonly kind: 'close' }
  /** Does nothing, but makes Piscina start a thread. */
  | { readonly kind: 'wake' };

export interface WorkerResponse {
  /** One per item, in their order. */
  readonly results: readonly ItemResult<unknown>[];
  readonly timings: WorkerTimings;
}

/** Milliseconds inside the worker, for the whole batch. */
export interface WorkerTimings {
  readonly serviceMs: number;
  /** Until the first model ran: decoding and shrinking. The whole time if none ran. */
  readonly decodeMs: number;
  /** Spent in `Model.run`, by role of the model. */
  readonly modelMs: Readonly<Record<string, number>>;
}
