/** Entry point for Node.js and k6 scripts. `webhooks.ts` is for Node.js only, `k6-transport.ts` for k6 only. */
export type { Batch, BatchOperation, BatchOutcome, TypedBatchResponse } from './batch.ts';
export {
  type CallOptions,
  type ClientOptions,
  createClient,
  type PostOptions,
  type PresenzaClient,
} from './client.ts';
export { dataUri } from './data-uri.ts';
export { type ClientErrorCode, PresenzaError } from './errors.ts';
export { fetchTransport } from './fetch-transport.ts';
export { type Expectation, isVerified } from './is-verified.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport.ts';
export type * from './types.d.ts';
