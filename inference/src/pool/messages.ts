/** Every message between the main thread and its workers. */
import type { ModelSpec } from '../backends/backend';
import type { ImageFault } from '../pipeline/decode';
import type { Detection } from '../pipeline/detect';

/** What a worker is started with. */
export interface WorkerSetup {
  readonly models: Readonly<Record<ModelRole, ModelSpec>>;
}

/** The part a model plays, whichever model plays it. */
export type ModelRole = 'detector';

/** Sent once by each worker: its models are loaded and warm, or could not be loaded. */
export type WorkerStarted =
  | { readonly kind: 'ready'; readonly device: string; readonly loadMs: number }
  | { readonly kind: 'failed'; readonly message: string };

export interface DetectTask {
  readonly kind: 'detect';
  /** An encoded image; its buffer is transferred, not copied. */
  readonly image: Uint8Array;
}

export type Task = DetectTask;

/** A refused image is a result; only breakage throws. */
export type TaskResult =
  | { readonly ok: true; readonly detection: Detection }
  | { readonly ok: false; readonly fault: ImageFault; readonly values: Readonly<Record<string, number>> };
