/** Batch types that bind each operation to its body and data, which the schemas leave open. */
import type { WithImages } from './data-uri.ts';
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
  | { readonly operation: 'detect'; readonly body: WithImages<DetectRequest, 'image'> }
  | {
      readonly operation: 'compare';
      readonly body: WithImages<CompareRequest, 'sourceImage' | 'targetImage'>;
    }
  | { readonly operation: 'moderate'; readonly body: WithImages<ModerateRequest, 'image'> }
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
