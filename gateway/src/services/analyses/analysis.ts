/** One kind of work on images, as a route runs it alone and a batch among others. */

import type { ProductId } from '../contract/products';
import type { Deadline, InferenceCall } from '../inference/inference-client';
import type { Principal } from '../keys/keys';
import type { ProductGroup } from '../plans/terms';
import type { Stopwatch } from '../timing/stages';

export interface AnalysisCall {
  readonly principal: Principal;
  readonly requestId: string;
  readonly deadline: Deadline;
  readonly stages: Stopwatch;
  readonly priority?: InferenceCall['priority'];
}

export interface Analysis {
  readonly name: 'detect' | 'compare' | 'moderate';
  readonly product: ProductId;
  readonly group: ProductGroup;
  /** Schema of the request, in the contract. */
  readonly schema: string;
  /**
   * Settles what can be settled before anything is reserved.
   * @param body fits the schema.
   * @returns what does the work, and answers the `data` of the envelope; it throws AppError as `InferenceClient` does.
   * @throws AppError INVALID_IMAGE or IMAGE_TOO_LARGE
   */
  prepare(body: unknown): (call: AnalysisCall) => Promise<object>;
}
