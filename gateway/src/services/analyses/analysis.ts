/** An analysis of images. A route runs a single one; a batch runs many. */

import type { BatchResult } from '@presenza/contract/client/types.d.ts';
import type { Immutable } from '../contract/immutable';
import type { ProductId } from '../contract/products';
import type { Deadline, InferenceCall } from '../inference/inference-client';
import type { Principal } from '../keys/keys';
import type { ProductGroup } from '../plans/terms';
import type { Stopwatch } from '../timing/stages';

/** The `data` of a successful response. */
export type AnalysisResult = Immutable<NonNullable<BatchResult['data']>>;

export interface AnalysisCall {
  readonly principal: Principal;
  readonly requestId: string;
  /** The API version of the request. */
  readonly apiVersion: string;
  readonly deadline: Deadline;
  readonly stages: Stopwatch;
  readonly priority?: InferenceCall['priority'];
}

export interface Analysis {
  readonly name: 'detect' | 'compare' | 'moderate';
  readonly product: ProductId;
  readonly group: ProductGroup;
  /** File of the request's schema in the contract. */
  readonly schema: string;
  /**
   * Checks everything that can be checked before a unit is reserved.
   * @param body valid by the schema.
   * @returns a function that does the work. It throws ApiError as `InferenceClient` does.
   * @throws ApiError INVALID_IMAGE or IMAGE_TOO_LARGE
   */
  prepare(body: unknown): (call: AnalysisCall) => Promise<AnalysisResult>;
}

/** The call of the inference tier for an analysis. */
export const tierCall = ({ principal: { accountId, mode }, apiVersion: _, ...call }: AnalysisCall) => ({
  ...call,
  accountId,
  mode,
});
