/** Batch types that bind each operation to its body and data, which the schemas leave open. */
import type {
  ApiError,
  BatchResponse,
  BatchResult,
  CompareRequest,
  ComparisonResult,
  DetectionResult,
  DetectRequest,
  ModerateRequest,
  ModerationResult,
} from './types.d.ts';

export type BatchOperation = { readonly id?: string } & (
  | { readonly operation: 'detect'; readonly body: DetectRequest }
  | { readonly operation: 'compare'; readonly body: CompareRequest }
  | { readonly operation: 'moderate'; readonly body: ModerateRequest }
);

export interface Batch {
  /** 1 to 64. */
  readonly operations: readonly BatchOperation[];
}

/** Outcome of one operation, discriminated by `success` and `operation`. */
export type BatchOutcome = Pick<BatchResult, 'index' | 'id' | 'status'> &
  (
    | { operation: 'detect'; success: true; data: DetectionResult }
    | { operation: 'compare'; success: true; data: ComparisonResult }
    | { operation: 'moderate'; success: true; data: ModerationResult }
    | { operation: BatchResult['operation']; success: false; error: ApiError }
  );

export interface TypedBatchResponse extends Omit<BatchResponse, 'data'> {
  data: Omit<BatchResponse['data'], 'results'> & { results: BatchOutcome[] };
}
