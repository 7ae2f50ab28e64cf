/** Entry point for Node.js and k6 scripts. `webhooks.ts` is for Node.js only, `k6-transport.ts` for k6 only. */
export type { Batch, BatchOperation, BatchOutcome, TypedBatchResponse } from './batch.ts';
export { createClient, type PresenzaClient } from './client.ts';
export { dataUri } from './data-uri.ts';
export { type ClientErrorCode, PresenzaError } from './errors.ts';
export { fetchTransport } from './fetch-transport.ts';
export { type Expectation, isVerified } from './is-verified.ts';
export type { CallOptions, ClientOptions, PostOptions } from './options.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport.ts';
export type * from './types.d.ts';
