/** Entry point for Node.js, k6 and types in a browser. `webhooks.ts` is for Node.js only, `k6-transport.ts` for k6 only. */
export type { Batch, BatchOperation, BatchOutcome, TypedBatchResponse } from './batch.ts';
export { createClient, type PresenzaClient } from './client.ts';
export { dataUri, type ImageInput, type WithImages } from './data-uri.ts';
export { type ClientErrorCode, PresenzaError } from './errors.ts';
export { fetchTransport } from './fetch-transport.ts';
export { type Expectation, isVerified } from './is-verified.ts';
export type { CallOptions, ClientOptions, PostOptions } from './options.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport.ts';
export type * from './types.d.ts';
